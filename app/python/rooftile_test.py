"""The Python functions, against rooftile-cli with a worker that answers as a GPU would.

    rooftile_test.py FOLDER_OF_PROGRAMS
"""

import os
import stat
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
programs = Path(sys.argv.pop(1)).resolve()


def scripted_programs(folder):
    """A rooftile-cli that measures with the scripted worker."""
    cli = Path(folder) / "rooftile-cli"
    cli.write_text(f'#!/bin/sh\nexec "{programs}/rooftile-cli" --worker "{programs}/scripted_worker $ROOFTILE_TEST_WORKER" "$@"\n')
    cli.chmod(cli.stat().st_mode | stat.S_IXUSR)
    os.environ["ROOFTILE_BIN"] = folder


class RooftileTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        for variable in ("XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
            os.environ[variable] = cls.folder.name
        scripted_programs(cls.folder.name)
        import rooftile

        cls.rooftile = rooftile

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_a_measured_launch_has_its_parameters_and_figures(self):
        launch = self.rooftile.measure("sgemm_tiled", TILE=16)
        self.assertEqual((launch["kernel"], launch["TILE"]), ("sgemm_tiled", 16))
        self.assertGreater(launch["time_s"], 0)
        self.assertIn("sgemm_tiled", repr(launch))
        self.assertNotIn("no_such_figure", launch)

    def test_a_machine_without_a_driver_has_no_gpu_and_that_is_no_error(self):
        with unittest.mock.patch.dict(os.environ, ROOFTILE_BIN=str(programs)):  # whose worker is the real one
            self.assertEqual(self.rooftile.has_gpu(), os.path.exists("/dev/nvidiactl"))

    def test_a_sweep_gives_the_fastest_first_and_keeps_a_session(self):
        session = Path(self.folder.name) / "kept.jsonl"
        launches = self.rooftile.sweep("sgemm_tiled", TILE=[8, 16], session=session)
        self.assertEqual({each["TILE"] for each in launches}, {8, 16})
        times = [each["time_s"] for each in launches]
        self.assertEqual(times, sorted(times))
        self.assertEqual([dict(each) for each in self.rooftile.read(session)], [dict(each) for each in launches])

    def test_gpus_of_the_machine_share_a_sweep(self):
        os.environ["ROOFTILE_TEST_WORKER"] = "--machine 'Test GPU,Test GPU'"
        try:
            launches = self.rooftile.sweep("sgemm_tiled", TILE=[4, 8, 16, 32], devices=[1])
            self.assertEqual([each["device"] for each in launches], [1] * 4)
            self.assertEqual(len(self.rooftile.sweep("sgemm_tiled", TILE=[4, 8], devices="all")), 2)
        finally:
            del os.environ["ROOFTILE_TEST_WORKER"]

    def test_a_notebook_shows_the_roofline_and_a_row_for_each_launch(self):
        shown = self.rooftile.sweep("sgemm_tiled", TILE=[8, 16])._repr_html_()
        self.assertIn("data:image/svg+xml", shown)
        self.assertEqual(shown.count("<tr><td"), 2)
        self.assertIn(">TILE</th>", shown)

    def test_one_prediction_is_drawn_and_several_are_listed(self):
        one = self.rooftile.predict("sgemm_tiled", gpu="RTX 4090", TILE=16, N=1024)
        self.assertIn("RTX 4090", one.roofline())
        several = self.rooftile.predict("sgemm_tiled", gpu="RTX 4090", TILE=[8, 16], N=1024)
        self.assertEqual({each["TILE"] for each in several}, {8, 16})
        self.assertEqual({each["PAD_A"] for each in several}, {0})
        self.assertTrue(all(each["evidence"] == "predicted" for each in several))

    def test_occupancy_is_that_of_the_command_line(self):
        found = self.rooftile.occupancy("sgemm_tiled", gpu="RTX 4090", TILE=32)
        self.assertEqual(found["block"]["threads"], 1024)

    def test_mistakes_are_told_in_the_words_of_the_command_line(self):
        for call, words in (
            (lambda: self.rooftile.predict("nope", gpu="RTX 4090"), "nope"),
            (lambda: self.rooftile.predict("sgemm_tiled", gpu="Voodoo"), "Voodoo"),
            (lambda: self.rooftile.measure("sgemm_tiled", TILE=17), "17"),
            (lambda: self.rooftile.sweep("sgemm_tiled", TYLE=16), "TYLE"),
            (lambda: self.rooftile.sweep("sgemm_tiled", TILE=[8, 16], devices=[7]), "the numbers: 0"),
            (lambda: self.rooftile.read("/nowhere.jsonl"), "/nowhere.jsonl"),
            (lambda: self.rooftile.profile(session="/nowhere/s.jsonl").__enter__(), "/nowhere/s.jsonl"),
        ):
            with self.subTest(words), self.assertRaisesRegex(self.rooftile.RooftileError, words):
                call()

    def test_a_part_of_this_process_is_profiled(self):
        """On fakes of the driver and of CUPTI, which takes the place of a program's kernels."""
        part = '''
import ctypes, rooftile
def launch(name, nanoseconds):
    ctypes.CDLL("libcupti.so.13").fake_launch(name, 8, ctypes.c_uint64(nanoseconds), False)
launch(b"before", 1000)
with rooftile.profile() as part:
    launch(b"copy", 500), launch(b"copy", 300), launch(b"add", 100)
launch(b"after", 1000)
print(*(f"{each['kernel']} {each.document['point']['program']['launches']:g}" for each in part.launches), sep=", ")
try:
    with rooftile.profile(), rooftile.profile():
        pass
except rooftile.RooftileError as error:
    print(error)
'''
        fakes = programs.parent / "fakes"
        environment = os.environ | {"LD_LIBRARY_PATH": f"{fakes}/driver:{fakes}/cuda/lib64", "ROOFTILE_BIN": str(programs), "FAKE_METRIC": "1",
                                    "PYTHONPATH": str(Path(__file__).parent)}
        done = subprocess.run([sys.executable, "-W", "error::UserWarning", "-c", part], env=environment, capture_output=True, text=True)
        self.assertEqual((done.stdout, done.stderr),
                         ("copy() 2, add() 1\nThe launches of this process are recorded already.\n", ""))

    def test_programs_that_are_missing_are_named(self):
        with tempfile.TemporaryDirectory() as empty:
            before, path = os.environ["ROOFTILE_BIN"], os.environ["PATH"]
            os.environ["ROOFTILE_BIN"], os.environ["PATH"] = empty, empty
            try:
                with self.assertRaisesRegex(self.rooftile.RooftileError, "rooftile-cli is neither in"):
                    self.rooftile.kernels()
            finally:
                os.environ["ROOFTILE_BIN"], os.environ["PATH"] = before, path


if __name__ == "__main__":
    unittest.main()
