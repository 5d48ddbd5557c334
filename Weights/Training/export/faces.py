"""Exports a packed run of a face network as an integer .tflite with metadata.

    python -m export.faces detector --size 192 --run RUN/packed.npz --out ../face-detector-fast.tflite …
    python -m export.faces detector --size 320 --run RUN/packed.npz --out ../face-detector-accurate.tflite …
    python -m export.faces mesh  --run RUN/packed.npz --out ../face-mesh.tflite …
    python -m export.faces eyes  --run RUN/packed.npz --out ../face-eyes.tflite …
    python -m export.faces smile --run RUN/packed.npz --out ../face-smile.tflite …

each with --data DATA --cache CACHE --faces FACES --backgrounds LIST. Activation ranges are calibrated on 300
training views. The mesh is trained as offsets from MediaPipe's canonical face (FACES/canonical.npy)
and exported as offsets from Martlet's (FACES/martlet.npy of `data/canonical_face.py`).
The probabilities of eyes and smiles are calibrated: a scale and a shift, fitted to the validation split,
are folded into the last layer (`probability`).
"""

import argparse
import os
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import keras
import numpy as np

from data import faces
from data.detector_views import Scenes
from data.face_geometry import mirrored, reference
from evaluate import decode_faces
from export.metadata import metadata, with_metadata
from export.objects import LICENSE, VERSION, converter, fixed
from networks import face_networks
from train import loop

COUNT = 300


def trained(kind, packed, folder, size=None):
    """The network of a packed run, with its weights. Outputs of the mesh are offsets from the
    canonical face of FOLDER/martlet.npy, in sides of the crop."""
    if kind == "detector":
        model = face_networks.detector(size)
    elif kind == "mesh":
        model = face_networks.mesh()
    else:
        model = face_networks.expression(side(kind))
    _, weights, extra = loop.unpack(packed)
    for variable, value in zip(model.variables, weights, strict=True):
        variable.assign(value)
    if kind == "mesh":
        for name in ("points", "depths"):
            layer = model.get_layer(name)
            layer.set_weights([face_networks.UNIT * array for array in layer.get_weights()])
        trained_face, exported_face = extra[0].reshape(468, 3), np.load(folder / "martlet.npy")
        offset = reference(trained_face) - reference(exported_face)
        for name, shift in (("points", offset[:, :2].ravel()), ("depths", offset[:, 2])):
            weights, bias = model.get_layer(name).get_weights()
            model.get_layer(name).set_weights([weights, bias + shift])
    return model


def side(kind):
    return {"mesh": face_networks.MESH, "eyes": face_networks.EYE, "smile": face_networks.SMILE}[kind]


def probability(model, data, images, kind):
    """Scale and shift of the logits that maximize the likelihood of the validation split."""
    from train.expression import crop, labeled
    files, truth = labeled(data, kind, "val")
    crops = np.stack([crop(images[file], side(kind)) for file in files])
    logits = model.predict(crops / np.float32(255), verbose=0)[:, 0].astype(np.float64)
    columns, numbers = np.stack([logits, np.ones_like(logits)], 1), np.array([1.0, 0.0])
    for _ in range(30):  # Newton's method on the logistic loss, regularized towards (1, 0)
        predicted = 1 / (1 + np.exp(-columns @ numbers))
        gradient = columns.T @ (predicted - truth) + 0.1 * (numbers - [1, 0])
        hessian = (columns * (predicted * (1 - predicted))[:, None]).T @ columns + 0.1 * np.eye(2)
        numbers = numbers - np.linalg.solve(hessian, gradient)
    return numbers


def views(kind, size, options):
    """Training views, as inputs of the network."""
    rng, images = np.random.default_rng(0), faces.images(options.data, options.cache)
    if kind == "detector":
        objects = faces.object_images(options.data, options.cache)
        files = [row["file"] for row in faces.annotated(options.data) if faces.trainable(row)]
        scenes, listed = Scenes(options.faces), faces.object_files(options.data)
        for i in range(COUNT):
            chosen = rng.integers(1 << 30)
            image = [images[files[chosen % len(files)]], scenes[chosen % len(scenes)][0],
                     objects[listed[chosen % len(listed)]]][min(i % 5, 2)]
            yield decode_faces.letterboxed(image, size, size)[0]
    elif kind == "mesh":
        from data import mesh_views
        canonical = np.load(options.faces / "canonical.npy")
        crops = mesh_views.Views(
            mesh_views.Drawings(options.faces),
            mesh_views.RealFaces(options.data, images, faces.trainable),
            faces.without_people(options.data, options.backgrounds), images, mirrored(canonical))
        for i in range(COUNT):
            yield crops.face(rng, i % 2 == 0)[0] if i % 12 else crops.without_face(rng)
    else:
        from data import expression_views
        crops = expression_views.Views(kind, size, options.data, images, options.faces)
        for _ in range(COUNT):
            yield crops(rng)[0]


def samples(kind, size, options):
    images = list(views(kind, size, options))

    def each():
        # A black and a white image fix the input's range at 0...1.
        for value in (0, 1):
            yield [np.full((1, size, size, 3), value, np.float32)]
        for image in images:
            yield [image[None].astype(np.float32) / 255]

    return each


# Texts in the shipped files.
DESCRIPTIONS = {
    "detector": ("Martlet face detector", "Finds faces and six points of each.",
                 "The picture, its longer side as the input's, at the top left, the rest black."),
    "mesh": ("Martlet face mesh", "468 points of a face.", "The turned square crop of a face."),
    "eyes": ("Martlet open eye", "Tells whether an eye is open.", "The crop of a left eye, or a mirrored right one."),
    "smile": ("Martlet smile", "Tells whether a face smiles.", "The crop of a face from the eyes to the chin."),
}


def outputs(kind, size):
    """Name, shape and meaning of each output."""
    if kind == "detector":
        described = []
        for stride in face_networks.LEVELS:
            count = size // stride
            described.append((f"face{stride}", (count, count, 1), "Logit of a face, by cell."))
            described.append((f"box{stride}", (count, count, 16), "Box and six points, by cell."))
        return described
    if kind == "mesh":
        return [("points", (936,), "x, y of 468 points in sides of the crop, from the reference face."),
                ("depths", (468,), "z of 468 points in sides of the crop, from the reference face."),
                ("present", (1,), "Logit of a face.")]
    return [("probability", (1,), "0...1.")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=list(DESCRIPTIONS))
    parser.add_argument("--data", required=True)
    parser.add_argument("--cache", required=True)
    parser.add_argument("--faces", required=True, type=Path, help="folder of drawn heads and scenes")
    parser.add_argument("--backgrounds", help="names of scenes without people")
    parser.add_argument("--run", required=True, type=Path, help="packed.npz of the run")
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--size", type=int, help="of the detector's input: 192 fast, 320 accurate")
    options = parser.parse_args()

    kind = options.kind
    size = options.size if kind == "detector" else side(kind)
    model = trained(kind, options.run, options.faces, size)
    image, out = fixed(model, size)
    if kind in ("eyes", "smile"):
        images = faces.images(options.data, options.cache)
        scale, shift = probability(model, options.data, images, kind)
        last = model.layers[-1]
        weights, bias = last.get_weights()
        last.set_weights([scale * weights, scale * bias + shift])
        print(f"logits times {scale:.2f} plus {shift:.2f}")
        out = keras.layers.Activation("sigmoid")(model(image))
    named = outputs(kind, size)
    title, purpose, input_ = DESCRIPTIONS[kind]
    blob = metadata(title, purpose, VERSION, LICENSE, {"name": "image", "description": input_},
                    [{"name": name, "description": meaning} for name, _, meaning in named])
    whole = keras.Model(image, out)
    data = converter(whole, samples(kind, size, options)).convert()
    data = with_metadata(data, [(name, shape) for name, shape, _ in named], blob, {})
    options.out.write_bytes(data)
    print(options.out, len(data), "bytes")


if __name__ == "__main__":
    main()
