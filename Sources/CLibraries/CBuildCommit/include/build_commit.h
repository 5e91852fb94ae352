#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/// Returns the Git commit that the program was built from, as `scripts/version --commit` prints it: an abbreviated hash,
/// with "+dirty" if files were changed. Returns an empty string in development builds and in builds outside Git.
const char *build_commit(void);

#ifdef __cplusplus
}
#endif
