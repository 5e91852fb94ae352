internal import Glibc

/// Returns the number of online processors.
package func availableCoreCount() -> Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
