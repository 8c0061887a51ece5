"""What setuptools puts into the package, built from a copy without network and without pip: that needs `wheel` as well."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

CLIENT = os.path.join(os.path.dirname(__file__), "..")


def setuptools_version():
    script = "import setuptools; print(setuptools.__version__)"
    answer = subprocess.run([sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True)
    return int(answer.stdout.split(".")[0]) if answer.returncode == 0 else 0


def files_under(folder):
    names = [os.path.join(at, name) for at, _, some in os.walk(folder) for name in some]
    return sorted(os.path.relpath(name, folder) for name in names if not name.endswith(".pyc"))


class PackageTest(unittest.TestCase):
    @unittest.skipUnless(setuptools_version() >= 61, "needs a setuptools that reads pyproject.toml")
    def test_a_build_has_every_file_and_runs_elsewhere(self):
        with tempfile.TemporaryDirectory() as folder:
            copy, built = os.path.join(folder, "copy"), os.path.join(folder, "built")
            shutil.copytree(CLIENT, copy, ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info"))
            script = "from setuptools import setup; setup()"
            command = [sys.executable, "-W", "ignore", "-c", script, "-q", "build", "--build-lib", built]
            subprocess.run(command, cwd=copy, check=True, capture_output=True)
            self.assertEqual(
                files_under(os.path.join(built, "dragoman")), files_under(os.path.join(copy, "dragoman"))
            )
            use = "import dragoman; print(dragoman.__file__, dragoman.parse('hermes', 'Hi').text)"
            env = {**os.environ, "PYTHONPATH": built}
            answer = subprocess.run(
                [sys.executable, "-c", use], cwd=folder, env=env, check=True, capture_output=True, text=True
            )
            self.assertRegex(answer.stdout, "^" + re.escape(built) + r".* Hi\n$")


if __name__ == "__main__":
    unittest.main()
