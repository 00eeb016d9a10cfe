# SPDX-License-Identifier: Apache-2.0
"""Files that are there whole or not at all."""
import os
import tempfile


def replace(path, data):
    """Puts data (bytes) at path; where that fails, what was there before stays."""
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise _named(error, path) from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask())  # mkstemp keeps others out
        os.replace(temporary, path)
    except OSError as error:
        os.unlink(temporary)
        raise _named(error, path) from None
    except BaseException:
        os.unlink(temporary)
        raise


def _named(error, path):
    """The error told of the file that was asked for, not of the temporary one."""
    return OSError(error.errno, error.strerror, str(path))


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask
