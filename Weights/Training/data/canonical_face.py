"""Writes Sources/Vision/MartletVision/Faces/Pose/CanonicalFace.swift, the face that poses are fitted to.

    python -m data.canonical_face --generator GENERATOR --out ../../Sources/Vision/MartletVision/Faces/Pose/CanonicalFace.swift
    python -m data.canonical_face --generator GENERATOR --numbers canonical.npy
    python -m data.canonical_face --generator GENERATOR --drawn FACES --data DATA

GENERATOR is the folder of `facegen.py`. The face is the mean of the neutral faces of HEADS random people.
Each is rotated to zero Euler angles and scaled to one size; the mean is made symmetric. A pose is the
weak-perspective fit of the face to x and y of VERTICES, which are far apart and move little with the
expression. The second command writes the 468 points for Python. The third measures poses: on drawn heads
(FACES of `data/draw_faces.py`), whose angles are exact, and on real faces with the teacher's angles (DATA).
"""

import argparse
import gzip
import json
import sys
from pathlib import Path

import numpy as np

HEADS = 600
RIGHT_EYE = [33, 246, 161, 160, 159, 158, 157, 173, 133, 155, 154, 153, 145, 144, 163, 7]
LEFT_EYE = [362, 398, 384, 385, 386, 387, 388, 466, 263, 249, 390, 373, 374, 380, 381, 382]
# Outline, brows, nose, corners of the eyes, cheeks, lips.
VERTICES = sorted(
    [10, 297, 284, 389, 454, 361, 397, 379, 400, 152, 176, 150, 172, 132, 234, 162, 54, 67]
    + [336, 334, 300, 70, 105, 107] + [168, 6, 197, 195, 5, 4, 1, 2, 98, 327]
    + [33, 133, 362, 263] + [50, 280, 205, 425, 101, 330, 117, 346] + [61, 291, 0, 17]
)
SIX_MIRRORED = [1, 0, 2, 3, 5, 4]


def neutral_faces(generator):
    """Mesh and tragions [HEADS, 470, 3] of random people, x to the subject's left, y up, z forward."""
    sys.path.insert(0, str(generator))
    import head

    assets = head.Assets()
    corners, weights = assets.tri[assets.fit["mesh_tri"]], assets.fit["mesh_bary"].astype(np.float64)
    zero = assets.fit["canonical"].astype(np.float64)
    heads = []
    for seed in range(HEADS):
        person = head.draw(assets, np.random.default_rng(seed))
        vertices = head.shape(assets, person, None)[1]
        mesh = (vertices[corners] * weights[..., None]).sum(1)
        ears = vertices[assets.fit["ear_front"][::-1]]
        # The same rotation as in the generator's labels.
        u, _, v = np.linalg.svd((mesh - mesh.mean(0)).T @ zero)
        rotation = u @ np.diag([1, 1, np.linalg.det(u @ v)]) @ v
        heads.append((np.vstack([mesh, ears]) - mesh.mean(0)) @ rotation)
    return np.array(heads), assets.fit["mirror"]


def canonical(generator):
    """The mean face: mesh [468, 3] and six key points [6, 3]. The eye centers are 1 apart."""
    heads, mirror = neutral_faces(generator)
    mirror = np.concatenate([mirror, [469, 468]])
    mean = heads.mean(0)
    for _ in range(3):
        scale = (heads[:, :468] * mean[:468]).sum((1, 2)) / np.square(heads[:, :468]).sum((1, 2))
        mean = (heads * scale[:, None, None]).mean(0)
        mean = (mean + mean[mirror] * [-1, 1, 1]) / 2
        mean /= np.linalg.norm(mean[LEFT_EYE].mean(0) - mean[RIGHT_EYE].mean(0))
    six = np.stack([mean[RIGHT_EYE].mean(0), mean[LEFT_EYE].mean(0), mean[4], mean[[13, 14]].mean(0), *mean[468:]])
    return mean[:468], (six + six[SIX_MIRRORED] * [-1, 1, 1]) / 2


def rows(points, start="", end=""):
    return "".join(f"    {start}{', '.join(f'{x:.4f}' for x in row)}{end},\n" for row in np.round(points, 4) + 0.0)


def numbers(values):
    lines = [", ".join(map(str, values[i : i + 16])) for i in range(0, len(values), 16)]
    return "".join(f"    {line},\n" for line in lines)


def swift(mesh, six):
    return f"""//===--- CanonicalFace.swift - the mean face model ------------------------===//
//
// The mean of {HEADS} rendered people's neutral faces, each rotated to zero Euler angles. Poses are
// fitted to it, and the mesh network's outputs are offsets from it.
//
// Contract  x to the subject's left, y up, z out of the face. The eye centers are 1 apart. The
//           vertices are those of MediaPipe's mesh.
// Source    Written by Weights/Training/data/canonical_face.py, which also measures it.
//===----------------------------------------------------------------------===//

/// The model of an average face.
enum CanonicalFace {{
  /// The vertices that poses are fitted to: far apart, and little moved by the expression.
  static let rigid = [
{numbers(VERTICES)}  ]

  /// The key points, in the order of `FaceKeyPoints`.
  static let keyPoints: [SIMD3<Float>] = [
{rows(six, "[", "]")}  ]

  /// All vertices.
  static let points = stride(from: 0, to: coordinates.count, by: 3).map {{
    SIMD3(coordinates[$0], coordinates[$0 + 1], coordinates[$0 + 2])
  }}

  /// The coordinates of the vertices. The compiler stores numbers as data, but vectors as code.
  private static let coordinates: [Float] = [
{rows(mesh)}  ]
}}
"""


def euler(points, model):
    """X, Y, Z in degrees [n, 3] of points [n, k, 2], y down, by the weak-perspective fit."""
    flat = (points - points.mean(1, keepdims=True)) * [1, -1]
    model = model - model.mean(0)
    matrix = np.einsum("ck,nkd->ndc", np.linalg.solve(model.T @ model, model.T), flat)
    u, _, v = np.linalg.svd(matrix, full_matrices=False)
    across, up = np.moveaxis(u @ v, 1, 0)
    out = np.cross(across, up)
    angles = -np.arcsin(out[:, 1].clip(-1, 1)), np.arctan2(-out[:, 0], out[:, 2]), np.arctan2(-across[:, 1], up[:, 1])
    return np.degrees(np.stack(angles, 1))


def report(name, found, truth):
    error = found - truth
    print(f"{name:32} n {len(error):5}, mean absolute error {np.abs(error).mean(0).round(2)}, "
          f"mean error {error.mean(0).round(2)}")


def measure(mesh, six, drawn, data):
    labels = [np.load(path) for path in sorted(Path(drawn).glob("crops-*.npz"))]
    points, key = (np.concatenate([part[name] for part in labels]) / 32 for name in ("mesh", "six"))
    angles = np.concatenate([part["euler"] for part in labels])
    for low, high in ((0, 40), (40, 91)):
        chosen = (np.abs(angles[:, 1]) >= low) & (np.abs(angles[:, 1]) < high)
        report(f"drawn, |Y| {low} to {high}", euler(points[chosen][:, VERTICES], mesh[VERTICES]), angles[chosen])
        report("the same, six points", euler(key[chosen], six), angles[chosen])
    sys.path.insert(0, str(Path(data) / "faces"))
    import mesh_io

    teacher_faces = []
    with gzip.open(Path(data) / "faces/teacher.jsonl.gz", "rt") as file:
        for line in file:
            teacher_faces += [face for face in json.loads(line)["f"] if "m" in face and face["p"] >= 0.6]
    real = mesh_io.meshes([face["m"] for face in teacher_faces])[:, VERTICES, :2]
    report("real, teacher's angles", euler(real, mesh[VERTICES]), np.array([face["e"] for face in teacher_faces]))
    marked = [face for face in teacher_faces if face.get("k")]
    key = np.array([face["k"] for face in marked]).reshape(-1, 6, 2)
    report("the same, six points", euler(key, six), np.array([face["e"] for face in marked]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--generator", required=True, type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--numbers", type=Path)
    parser.add_argument("--drawn", type=Path)
    parser.add_argument("--data", type=Path)
    options = parser.parse_args()
    mesh, six = canonical(options.generator)
    if options.out:
        options.out.write_text(swift(mesh, six))
    if options.numbers:
        np.save(options.numbers, mesh.astype(np.float32))
    if options.drawn:
        measure(mesh, six, options.drawn, options.data)


if __name__ == "__main__":
    main()
