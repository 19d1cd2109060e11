# SPDX-License-Identifier: MIT
"""The package against numpy, against the golden vectors, and against wrong input.

Needs PELT_VECTORS, the folder of golden vectors, and PELT_PROGRAM or an installed wheel. PELT_MODELS is a
folder of characters.
"""
import glob
import json
import multiprocessing
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest

import numpy as np
import pelt

VECTORS = pathlib.Path(os.environ["PELT_VECTORS"]) / "skinning.json"
MODELS = os.environ.get("PELT_MODELS", "")


def program():
    return os.environ.get("PELT_PROGRAM") or str(pathlib.Path(pelt.__file__).parent / "_native" / "pelt")


def random_skin(seed=1, vertices=300, joints=7, **options):
    random = np.random.default_rng(seed)
    positions = random.normal(size=(vertices, 3))
    triangles = random.permuted(np.tile(np.arange(vertices), (200, 1)), axis=1)[:, :3]
    weights = random.random((vertices, joints)) * (random.random((vertices, joints)) < 0.5)
    weights[:, 0] += 1e-3
    normals = random.normal(size=(vertices, 3))
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    skin = pelt.Skin(positions, triangles, weights, normals=normals, **options)
    return skin, positions, weights / weights.sum(1, keepdims=True), normals


def random_matrices(seed, *shape):
    matrices = np.zeros((*shape, 4, 4))
    matrices[..., :3, :] = np.random.default_rng(seed).normal(size=(*shape, 3, 4))
    matrices[..., 3, 3] = 1
    return matrices


def lbs(matrices, weights, positions):
    """In double precision."""
    points = np.concatenate([positions, np.ones((len(positions), 1))], 1)
    return np.einsum("vj,...jik,vk->...vi", weights, matrices[..., :3, :], points)


class Skins(unittest.TestCase):
    def test_lbs_is_the_weighted_sum_of_matrices(self):
        skin, positions, weights, _ = random_skin()
        matrices = random_matrices(2, 7)
        np.testing.assert_allclose(skin.deform(matrices), lbs(matrices, weights, positions), atol=2e-5)

    def test_golden_vectors(self):
        with open(VECTORS, encoding="utf-8") as file:
            golden = json.load(file)
        vertices = golden["vertices"]
        width = max(len(vertex["joints"]) for vertex in vertices)
        joints = [vertex["joints"] + [0] * (width - len(vertex["joints"])) for vertex in vertices]
        weights = [vertex["weights"] + [0] * (width - len(vertex["weights"])) for vertex in vertices]
        matrices = np.array(golden["matrices"]).reshape(-1, 3, 4)
        skin = pelt.Skin([v["position"] for v in vertices], None, weights, joints, joint_count=len(matrices),
                         centers=[v["center"] for v in vertices])
        for method in ("lbs", "dqs", "crs"):
            np.testing.assert_allclose(skin.deform(matrices, method), [v[method] for v in vertices],
                                       rtol=0, atol=golden["tolerance"])

    def test_batches_are_single_poses(self):
        skin, *_ = random_skin()
        skin.solve(centers=True)
        matrices = random_matrices(3, 150, 7)
        together = skin.deform(matrices, "crs")
        self.assertEqual(together.shape, (150, 300, 3))
        for pose in (0, 63, 64, 149):
            np.testing.assert_array_equal(together[pose], skin.deform(matrices[pose], "crs"))

    def test_threads_do_not_change_results(self):
        skin, *_ = random_skin()
        matrices = random_matrices(4, 20, 7)
        self.assertEqual(pelt.set_threads(1), 1)
        one = skin.deform(matrices, "dqs")
        self.assertEqual(pelt.set_threads(5), 5)
        np.testing.assert_array_equal(skin.deform(matrices, "dqs"), one)
        pelt.set_threads()

    def test_python_threads_share_a_skin(self):
        skin, positions, weights, _ = random_skin()
        wrong = []

        def work(seed):
            for step in range(20):
                matrices = random_matrices(100 * seed + step, 7)
                if not np.allclose(skin.deform(matrices), lbs(matrices, weights, positions), atol=2e-5):
                    wrong.append(seed)

        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_forked_processes_work(self):
        with multiprocessing.get_context("fork").Pool(2) as pool:
            self.assertEqual(pool.map(deform_in_child, range(4)), [True] * 4)

    def test_all_layouts_of_matrices(self):
        skin, *_ = random_skin()
        matrices = random_matrices(5, 3, 7)
        expected = skin.deform(matrices)
        for other in (matrices.astype(np.float32), matrices[..., :3, :], np.asfortranarray(matrices),
                      matrices[::-1][::-1], matrices.tolist()):
            np.testing.assert_array_equal(skin.deform(other), expected)

    def test_output_may_be_columns_of_a_vertex_buffer(self):
        skin, *_ = random_skin()
        for poses in ((), (4,)):
            matrices = random_matrices(6, *poses, 7)
            expected = skin.deform(matrices, normals=True)
            buffer = np.full((*poses, 300, 8), -1, np.float32)
            found = skin.deform(matrices, out=buffer[..., :3], normals_out=buffer[..., 4:7])
            np.testing.assert_array_equal(buffer[..., :3], expected[0])
            np.testing.assert_array_equal(buffer[..., 4:7], expected[1])
            self.assertTrue((buffer[..., [3, 7]] == -1).all())
            self.assertIs(found[0].base is not None, True)

    def test_rest_pose_is_kept_by_all_methods(self):
        skin, positions, _, normals = random_skin()
        skin.solve(centers=True, smoothing=True)
        identity = np.tile(np.eye(4), (7, 1, 1))
        for method in pelt.methods():
            found, rotated = skin.deform(identity, method, normals=True)
            np.testing.assert_allclose(found, positions, atol=1e-5)
            np.testing.assert_allclose(rotated, normals, atol=1e-5)

    def test_a_rotated_plane_has_rotated_normals(self):
        x, y = np.meshgrid(np.arange(6.0), np.arange(6.0))
        positions = np.stack([x.ravel(), y.ravel(), 0 * x.ravel()], -1)
        i = np.arange(30)[np.arange(30) % 6 < 5]
        triangles = np.concatenate([np.stack([i, i + 1, i + 6], -1), np.stack([i + 1, i + 7, i + 6], -1)])
        skin = pelt.Skin(positions, triangles, np.ones((36, 1))).solve(normals=True)
        np.testing.assert_allclose(skin.normals, np.tile([0, 0, 1], (36, 1)), atol=1e-6)
        matrix = np.eye(4)
        matrix[:3, :3] = [[0, 0, 1], [1, 0, 0], [0, 1, 0]]  # z becomes x
        for rule in ("standard", "accurate"):
            _, normals = skin.deform(matrix[None], "lbs", normals=rule)
            np.testing.assert_allclose(normals, np.tile([1, 0, 0], (36, 1)), atol=1e-5)

    def test_centers_are_kept_and_given_back(self):
        skin, positions, weights, _ = random_skin()
        self.assertIsNone(skin.centers)
        centers = skin.solve(centers=True).centers
        other = pelt.Skin(positions, None, weights, centers=centers)
        matrices = random_matrices(7, 7)
        np.testing.assert_allclose(other.deform(matrices, "crs"), skin.deform(matrices, "crs"), atol=1e-5)

    def test_joints_with_weights_equal_all_weights(self):
        skin, positions, weights, _ = random_skin()
        joints = np.tile(np.arange(7), (300, 1))
        other = pelt.Skin(positions, None, weights, joints)
        matrices = random_matrices(8, 7)
        np.testing.assert_allclose(other.deform(matrices), skin.deform(matrices), atol=1e-6)


def deform_in_child(seed):
    skin, positions, weights, _ = random_skin(seed)
    matrices = random_matrices(seed, 9, 7)
    return bool(np.allclose(skin.deform(matrices), lbs(matrices, weights, positions), atol=2e-5))


class WrongInput(unittest.TestCase):
    """Each call raises pelt.Error with these words."""

    def check(self, words, call):
        with self.assertRaises(pelt.Error) as caught:
            call()
        self.assertIn(words, str(caught.exception))
        self.assertNotIn("PELT_", str(caught.exception))

    def test_descriptions(self):
        points, faces, weights = np.zeros((4, 3)), [[0, 1, 2]], np.ones((4, 2))
        nan = points.copy()
        nan[2, 1] = np.nan
        self.check("positions must be any x 3", lambda: pelt.Skin(np.zeros((4, 2)), faces, weights))
        self.check("position of vertex 2", lambda: pelt.Skin(nan, faces, weights))
        self.check("weights must be 4 x any", lambda: pelt.Skin(points, faces, np.ones((3, 2))))
        self.check("weight", lambda: pelt.Skin(points, faces, -weights))
        self.check("weight", lambda: pelt.Skin(points, faces, weights * np.nan))
        self.check("triangles must be any x 3", lambda: pelt.Skin(points, [0, 1, 2], weights))
        self.check("triangles must be integers", lambda: pelt.Skin(points, [[0.5, 1, 2]], weights))
        self.check("vertex 9", lambda: pelt.Skin(points, [[0, 1, 9]], weights))
        self.check("must not be less than 0", lambda: pelt.Skin(points, [[0, 1, -1]], weights))
        self.check("must not be less than 0", lambda: pelt.Skin(points, [[0, 1, 2**40]], weights))
        self.check("joints must be 4 x 2", lambda: pelt.Skin(points, faces, weights, [[0, 1]]))
        self.check("joint", lambda: pelt.Skin(points, faces, weights, np.full((4, 2), 5), joint_count=3))
        self.check("normals must be 4 x 3", lambda: pelt.Skin(points, faces, weights, normals=points[:2]))
        self.check("centers must be 4 x 3", lambda: pelt.Skin(points, faces, weights, centers=[1, 2]))
        self.check("mix factor", lambda: pelt.Skin(points, faces, weights, mix_factors=[0, 1, 2, 0]))
        self.check("max_influences", lambda: pelt.Skin(points, faces, weights, max_influences=-1))
        self.check("positions", lambda: pelt.Skin("text", faces, weights))
        self.check("cycle", lambda: pelt.Skin(points, faces, weights, joint_positions=np.zeros((2, 3)),
                                              joint_parents=[1, 0]))

    def test_deformations(self):
        skin, *_ = random_skin()
        matrices = random_matrices(1, 7)
        nan = matrices.copy()
        nan[4, 0, 0] = np.nan
        self.check("no method \"wave\"", lambda: skin.deform(matrices, "wave"))
        self.check("matrices must be 7 x 4 x 4", lambda: skin.deform(matrices[:6]))
        self.check("matrices must be 7 x 4 x 4", lambda: skin.deform(np.eye(4)))
        self.check("joint 4", lambda: skin.deform(nan))
        self.check("joint 4 of pose 1", lambda: skin.deform(np.stack([matrices, nan])))
        self.check("solve(centers=True)", lambda: skin.deform(matrices, "crs"))
        self.check("solve(normals=True)", lambda: skin.deform(matrices, "dqs", normals="accurate"))
        self.check("there is no normals", lambda: skin.deform(matrices, normals="smooth"))
        self.check("mix is 3", lambda: skin.deform(matrices, "mix", mix=3))
        self.check("mix is nan", lambda: skin.deform(matrices, "mix", mix=np.nan))
        self.check("Character", lambda: skin.deform(matrices, "dqs", sign_rule="hierarchy"))
        self.check("joint_positions", lambda: skin.deform(matrices, "dqs", distance_correction=0.5))
        self.check("tangents", lambda: skin.deform(matrices, tangents=True))
        self.check("joint_positions", lambda: skin.solve(mix=True))
        self.check("float32", lambda: skin.deform(matrices, out=np.zeros((300, 3))))
        self.check("float32", lambda: skin.deform(matrices, out=np.zeros((299, 3), np.float32)))
        self.check("strides", lambda: skin.deform(matrices, out=np.zeros((3, 300), np.float32).T))
        self.check("strides", lambda: skin.deform(matrices, out=np.zeros((300, 3), np.float32)[::-1]))
        frozen = np.zeros((300, 3), np.float32)
        frozen.flags.writeable = False
        self.check("writable", lambda: skin.deform(matrices, out=frozen))
        self.check("threads", lambda: pelt.set_threads(-1))
        points = np.zeros((4, 3))
        self.check("no triangles", lambda: pelt.Skin(points, None, np.ones((4, 2))).solve(centers=True))

    def test_empty_meshes(self):
        empty = pelt.Skin(np.zeros((0, 3)), None, np.zeros((0, 2)))
        self.assertEqual(empty.deform(np.tile(np.eye(4), (2, 1, 1))).shape, (0, 3))
        still = pelt.Skin(np.ones((4, 3)), None, np.zeros((4, 0)))
        np.testing.assert_array_equal(still.deform(np.zeros((0, 4, 4))), np.ones((4, 3)))
        skin, *_ = random_skin()
        self.assertEqual(skin.deform(np.zeros((0, 7, 4, 4))).shape, (0, 300, 3))


class Characters(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = os.path.join(cls.folder.name, "hero.glb")
        subprocess.run([program(), "rig", "human?vertices=2000", "-o", cls.path], check=True,
                       stderr=subprocess.DEVNULL)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def file(self, name):
        return os.path.join(self.folder.name, name)

    def test_skins_and_characters_agree(self):
        hero = pelt.load(self.path).solve(centers=True, normals=True)
        pose = hero.pose("walk", 0.4)
        matrices, skin = hero.matrices(pose), hero.skin()
        for method in ("lbs", "dqs", "crs"):
            body = hero.deform(pose, method, normals=True)[0]
            positions, normals = skin.deform(matrices, method, normals=True)
            np.testing.assert_allclose(positions, body.positions, atol=4e-6)
            np.testing.assert_allclose(normals, body.normals, atol=2e-3)
        oracle = lbs(matrices.astype(float), hero.meshes[0].weights.astype(float), hero.meshes[0].positions)
        np.testing.assert_allclose(hero.deform(pose)[0].positions, oracle, atol=4e-6)

    def test_surfaces_equal_those_of_the_program(self):
        hero = pelt.load(self.path)
        subprocess.run([program(), "deform", self.path, "--clip", "squat", "--time", "0.7", "--method", "dqs",
                        "-o", self.file("squat.obj")], check=True, stderr=subprocess.DEVNULL)
        with open(self.file("squat.obj"), encoding="utf-8") as file:
            expected = [list(map(float, line.split()[1:4])) for line in file if line.startswith("v ")]
        found = hero.deform(hero.pose("squat", 0.7), "dqs")[0].positions
        np.testing.assert_allclose(found, expected, atol=1e-5)

    def test_poses(self):
        hero = pelt.load(self.path)
        rest, walk = hero.pose(), hero.pose("walk", 0.3)
        np.testing.assert_array_equal(rest.blend(walk, 0.0).locals, rest.locals)
        np.testing.assert_allclose(rest.blend(walk, 1.0).locals, walk.locals, atol=1e-6)
        np.testing.assert_allclose(np.linalg.norm(walk.rotations, axis=1), 1, atol=1e-5)
        node = next(i for i, p in enumerate(hero.parents) if p >= 0)
        rotated = hero.world(rest.copy().rotate(node, [0, 0, 2], 90))[node] @ [0, 1, 0, 0]
        np.testing.assert_allclose(rotated, -hero.world(rest)[node] @ [1, 0, 0, 0], atol=1e-5)
        np.testing.assert_allclose(hero.bounds(), [hero.deform()[0].positions.min(0),
                                                   hero.deform()[0].positions.max(0)], atol=1e-5)

    def test_files_keep_what_was_solved(self):
        hero = pelt.load(self.path).solve(centers=True, normals=True, mix=True)
        hero.save(self.file("better.glb"))
        better = pelt.load(self.file("better.glb"))
        np.testing.assert_array_equal(better.meshes[0].centers, hero.meshes[0].centers)
        np.testing.assert_allclose(better.meshes[0].mix_factors, hero.meshes[0].mix_factors, atol=1e-3)
        self.assertEqual([clip.name for clip in better.clips], [clip.name for clip in hero.clips])
        pose = hero.pose("twist", 1.0)
        hero.save(self.file("posed.gltf"), pose)
        posed = pelt.load(self.file("posed.gltf")).deform()[0].positions
        np.testing.assert_allclose(posed, hero.deform(pose)[0].positions, atol=1e-5)

    def test_clips_come_from_other_files(self):
        hero = pelt.load(self.path, clips=[self.path])
        self.assertEqual(len(hero.clips), 2 * len(pelt.load(self.path).clips))
        other = hero.clips[len(hero.clips) // 2]
        np.testing.assert_array_equal(hero.pose(other, 0.5).locals, hero.pose(0, 0.5).locals)

    def test_arrays_outlive_the_character(self):
        positions = pelt.load(self.path).meshes[0].positions
        self.assertTrue(np.isfinite(positions.sum()))
        self.assertFalse(positions.flags.writeable)

    def test_metrics_bakes_and_findings(self):
        hero = pelt.load(self.path).solve(centers=True)
        still = pelt.metrics(hero)
        self.assertLess(abs(still["bulge"].max), 1e-5)
        twist = [pelt.metrics(hero, "twist", method) for method in ("lbs", "crs")]
        self.assertGreater(twist[0]["collapse"].max, twist[1]["collapse"].max)
        self.assertGreater(twist[0].frame_count, 10)
        posed = pelt.metrics(hero, hero.pose("extreme", 1.0), "dqs", values=True)["bulge"]
        self.assertAlmostEqual(posed.max, float(posed.values.max()), places=6)
        same = pelt.metrics(hero, "walk", "crs", reference="crs")["distance"]
        self.assertEqual(same.max, 0.0)
        report = pelt.bake(hero, self.file("walk.json"), ["walk"], max_error=5e-4)
        self.assertLess(report.max_error, 5e-4)
        self.assertLess(0, os.path.getsize(self.file("walk.ktx2")) - report.bytes)
        self.assertTrue(os.path.exists(self.file("walk.glb")))
        findings = pelt.doctor(hero)
        self.assertTrue(all(finding.message and finding.advice for finding in findings))
        # The skeleton of the rig has finger tips that move nothing.
        self.assertIn("unused-joints", [finding.id for finding in findings])

    def test_pictures(self):
        hero = pelt.load(self.path).solve(centers=True)
        hero.render(self.file("pose.png"), hero.pose("squat", 1.0), "crs", size=(160, 120))
        with open(self.file("pose.png"), "rb") as file:
            content = file.read()
        self.assertEqual(content[:8] + content[16:24], b"\x89PNG\r\n\x1a\n\0\0\0\xa0\0\0\0\x78")

    def test_wrong_calls(self):
        hero, other = pelt.load(self.path), pelt.load(self.path)
        broken = hero.pose()
        broken.locals[3, 1] = np.nan
        short = hero.pose()
        short.locals = short.locals[:5]
        with open(self.file("bad.glb"), "wb") as file:
            file.write(b"glTF\2\0\0\0not a model")
        cases = [(pelt.ReadError, "nowhere.glb", lambda: pelt.load("nowhere.glb")),
                 (pelt.Error, "bad.glb", lambda: pelt.load(self.file("bad.glb"))),
                 (pelt.Error, "its clips are", lambda: hero.pose("swim")),
                 (pelt.Error, "finite", lambda: hero.pose("walk", float("nan"))),
                 (pelt.Error, "its nodes are", lambda: hero.pose().rotate("tail", [0, 0, 1], 3)),
                 (pelt.Error, "axis", lambda: hero.pose().rotate(2, [0, 0, 0], 3)),
                 (pelt.Error, "not one of this character", lambda: hero.deform(other.pose())),
                 (pelt.Error, "not finite", lambda: hero.deform(broken)),
                 (pelt.Error, "locals of a pose", lambda: hero.deform(short)),
                 (pelt.Error, "solve(centers=True)", lambda: hero.deform(None, "crs")),
                 (pelt.Error, "solve(normals=True)", lambda: hero.deform(None, "dqs", "accurate")),
                 (pelt.Error, "no skin 4", lambda: hero.matrices(None, 4)),
                 (pelt.Error, "instance 8", lambda: hero.skin(8)),
                 (pelt.Error, ".glb or .gltf", lambda: hero.save("hero.fbx")),
                 (pelt.WriteError, "cannot write", lambda: hero.save("/nonexistent/hero.glb")),
                 (pelt.Error, "no encoding", lambda: pelt.bake(hero, "x.json", encoding="zip")),
                 (pelt.Error, "out of range", lambda: pelt.bake(hero, "x.json", max_error=-1)),
                 (pelt.Error, ".json", lambda: pelt.bake(hero, self.file("x.png"))),
                 (pelt.Error, "rate", lambda: pelt.metrics(hero, "walk", rate=0)),
                 (pelt.Error, "max_influences", lambda: pelt.doctor(hero, 0)),
                 (pelt.Error, ".png", lambda: hero.render(self.file("x.txt")))]
        for kind, words, call in cases:
            with self.subTest(words):
                with self.assertRaises(kind) as caught:
                    call()
                self.assertIn(words, str(caught.exception))

    @unittest.skipUnless(os.path.isdir(MODELS), "no models folder; set PELT_MODELS")
    def test_every_model(self):
        files = [path for path in glob.glob(os.path.join(MODELS, "*", "*"))
                 if path.endswith((".glb", ".gltf", ".fbx")) and os.path.getsize(path) < 3e6]
        self.assertGreater(len(files), 20)
        for path in files:
            with self.subTest(path):
                hero = pelt.load(path)
                hero.solve(centers=True, normals=True)
                clip = hero.clips[0] if hero.clips else None
                pose = hero.pose(clip, clip.duration / 2 if clip else 0.0)
                for surface in hero.deform(pose, "crs", "accurate"):
                    self.assertTrue(np.isfinite(surface.positions).all())
                skinned = [i for i, (mesh, skin, _) in enumerate(hero._instances)
                           if skin >= 0 and hero.meshes[mesh].first is not None]
                for i in skinned[:2]:
                    mesh, skin, _ = hero._instances[i]
                    if hero.meshes[mesh].morph_count == 0:
                        found = hero.skin(i).deform(hero.matrices(pose, skin))
                        expected = hero.deform(pose)[i].positions
                        size = float(np.abs(expected).max()) + 1e-9
                        np.testing.assert_allclose(found / size, expected / size, atol=1e-5)


class Package(unittest.TestCase):
    def test_another_version_is_refused(self):
        script = ("import ctypes, pelt._library as l; import sys\n"
                  "l.__version__ = '9.9.9'\n"
                  "try: l._open()\nexcept ImportError as e: print(e); sys.exit(7)\n")
        done = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 7)
        self.assertIn("9.9.9", done.stdout)

    def test_a_missing_library_is_an_import_error(self):
        done = subprocess.run([sys.executable, "-c", "import pelt"], stderr=subprocess.PIPE, text=True,
                              env={**os.environ, "PELT_PYTHON_LIBRARY": "/nowhere.so"}, check=False)
        self.assertIn("ImportError: pelt: there is no /nowhere.so", done.stderr)


if __name__ == "__main__":
    unittest.main()
