#!/usr/bin/env python3
"""Prints a report of Nsight Compute as `ncu --csv --page raw` does, with the Python module that comes with it.

    ncu_report_csv.py REPORT.ncu-rep

The module is looked for in PYTHONPATH, beside the ncu of PATH, and in the folders of Nsight Compute's installer, the
newest first. Ends with status 3 if there is none.
"""
import csv
import pathlib
import shutil
import sys


def folders_of_nsight_compute():
    ncu = pathlib.Path(shutil.which("ncu") or "/nowhere").resolve()
    installed = sorted(pathlib.Path("/opt/nvidia/nsight-compute").glob("*"), reverse=True)
    return [str(folder / "extras" / "python") for folder in [*ncu.parents, *installed]]


sys.path += folders_of_nsight_compute()
try:
    import ncu_report
except ImportError:
    sys.exit(3)

report = ncu_report.load_report(sys.argv[1])
ranges = [report.range_by_idx(i) for i in range(report.num_ranges())]
launches = [each.action_by_idx(i) for each in ranges for i in range(each.num_actions())]
units = {name: launch.metric_by_name(name).unit() for launch in launches for name in launch.metric_names()}
out = csv.writer(sys.stdout, quoting=csv.QUOTE_ALL)
out.writerow(["ID", "Kernel Name", "CC", *units])
out.writerow(["", "", "", *units.values()])
for number, launch in enumerate(launches):
    values = {name: launch.metric_by_name(name).value() for name in launch.metric_names()}
    cc = ".".join(str(values.get(f"device__attribute_compute_capability_{part}", "")) for part in ("major", "minor"))
    out.writerow([number, launch.name(launch.NameBase_DEMANGLED), cc, *(values.get(name, "") for name in units)])
