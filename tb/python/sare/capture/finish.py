# SPDX-License-Identifier: Apache-2.0
"""Makes a trace of the files that the processes have left: a header that names them, and one compressed file for each."""
import gzip
import re
import shutil

FIRST_LINE = re.compile(rb"# task (\d+) of (\d+)\n")


def number_of_tasks(files):
    """What the first lines say; 0 if there is none."""
    for file in files:
        with open(file, "rb") as text:
            begins = FIRST_LINE.match(text.readline())
        if begins:
            return int(begins[2])
    return 0


def repair(path):
    """Of a process that was killed the last line may be cut. Whether it had come to its end."""
    with open(path, "rb+") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - 65536))
        last = file.read()
        whole = last.rfind(b"\n") + 1
        file.truncate(size - len(last) + whole)
        return last[:whole].endswith(b"\n# end\n")


def pack(path):
    with open(path, "rb") as plain, gzip.open(f"{path}.gz", "wb", compresslevel=6) as packed:
        shutil.copyfileobj(plain, packed, 1 << 20)
    path.unlink()
    return path.with_name(path.name + ".gz")


def finish(folder, compress):
    """Writes FOLDER/trace.sare; gives the number of tasks, and those that did not come to their end."""
    tasks = number_of_tasks(sorted(folder.glob("task-*")))
    if tasks == 0:
        folder.rmdir()
        return 0, []
    names, early = [], []
    for task in range(tasks):
        path = folder / f"task-{task}"
        path.touch()
        if not repair(path):
            early.append(str(task))
        names.append((pack(path) if compress else path).name)
    groups = sorted(folder.glob("communicators-*"))
    with open(folder / "trace.sare", "w", encoding="ascii") as header:
        header.write(f"sare-trace 3\ntasks {tasks}\n")
        for file in groups:
            repair(file)
            header.write(file.read_text(encoding="ascii"))
        header.writelines(f"file {task} {name}\n" for task, name in enumerate(names))
    for file in groups:
        file.unlink()
    return tasks, early
