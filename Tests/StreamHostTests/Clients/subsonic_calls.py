"""Counts which methods of a client library were called, so that a test can state that all were."""


class Recorder:
    """Passes all calls on to a connection and keeps the names of the methods."""

    def __init__(self, connection):
        self.connection = connection
        self.called = set()

    def __getattr__(self, name):
        method = getattr(self.connection, name)
        if callable(method):
            self.called.add(name)
        return method

    def missed(self):
        """Returns the public methods that were not called."""
        methods = {name for name in dir(self.connection) if not name.startswith("_") and callable(getattr(type(self.connection), name, None))}
        return methods - self.called


def refused(error, method, *arguments, message="not implemented"):
    """Calls a method of what the host does not have; it says so by an error of the protocol."""
    try:
        answer = method(*arguments)
    except error as found:
        assert message in str(found), found
    else:
        raise AssertionError(f"{method.__name__} returned {answer}")
