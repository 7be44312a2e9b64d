"""rooftile from Python: measure, sweep, predict and profile CUDA kernels, with their place on the roofline of a GPU.

Every function asks the program rooftile-cli of the same installation; nothing is worked out here. A kernel is a bundled
one ("sgemm_tiled"), or a file ("mine.cu"). Dials are keywords: TILE=32, or TILE=[8, 16, 32] where several are meant.
"""

from rooftile.launches import Launch, Launches
from rooftile.parts import Part, profile
from rooftile.program import RooftileError, answer, has_gpu
from rooftile.questions import kernels, measure, occupancy, predict, read, sweep

__all__ = [
    "Launch", "Launches", "Part", "RooftileError", "answer", "has_gpu", "kernels", "measure", "occupancy", "predict",
    "profile", "read", "sweep",
]


def load_ipython_extension(shell):
    """%load_ext rooftile"""
    from rooftile.notebook import RooftileMagics

    shell.register_magics(RooftileMagics)
