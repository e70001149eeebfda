"""The extension module that is built from the folder `native`."""

from stetho.capture.torch.trail import PythonTrail

class Trail(PythonTrail): ...
