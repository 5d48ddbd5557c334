"""The detector's outputs -> faces. The reference for the Swift code.

1. The image is scaled to fit the input, and lies at the top left of it; the rest is black. The input is square,
   wide or high (`input_sizes`), whichever shows the image larger. To find small faces, four parts are processed the
   same way, each three fifths as wide and as high as the image, in its corners. Their scores are multiplied by
   `further`.
2. Three pairs of outputs, strides 8, 16, 32: logit [H, W, 1] and numbers o [H, W, 16]. Every cell is
   a candidate: score = logistic(logit). In pixels of the input, with L the level's size (28, 64,
   150) and (cx, cy) = ((x + 0.5) * stride, (y + 0.5) * stride): box center (cx + L o0, cy + L o1),
   width L exp(o2), height L exp(o3), key point k (cx + L o(4+2k), cy + L o(5+2k)), k = right eye,
   left eye, nose tip, middle of the mouth, right, left tragion.
3. Candidates under `faint` are dropped, and those of a part within `border` pixels of a border that is
   not the image's; the `candidates` best stay, ties by lower index (part, level, y, x).
4. Best first: a face takes all remaining candidates whose boxes overlap its own by `overlap` or more
   (intersection over union), or lie in it by `inside` or more of their areas. Its score is the best one's. Its
   box and points are means of those that overlap by `mean` or more, weighted by score.
"""

from dataclasses import dataclass

import numpy as np

from data.detector_views import cells


@dataclass(frozen=True)
class Parameters:
    least_score: float = 0.4
    candidates: int = 300
    overlap: float = 0.35
    inside: float = 0.7
    mean: float = 0.6
    border: float = 2
    further: float = 0.5
    sure: float = 0.4
    faint: float = 0.05
    room: float = 1.5


STRIDE = 32  # the coarsest, by which sides are divisible


def input_sizes(size):
    """Widths and heights of the inputs of a network that is trained on squares of this size."""
    long, short = 4 * size // 3 // STRIDE * STRIDE, 5 * size // 6 // STRIDE * STRIDE
    return [(size, size), (long, short), (short, long)]


def input_size(image, size):
    """The width and height in which an image is largest."""
    height, width = image.shape[:2]
    return max(input_sizes(size), key=lambda sides: min(sides[0] / width, sides[1] / height))


def letterboxed(image, columns, rows):
    """The input, and the scale from it back to the image."""
    import cv2
    height, width = image.shape[:2]
    scale = min(columns / width, rows / height)
    fitted = cv2.resize(image, (max(1, round(width * scale)), max(1, round(height * scale))),
                        interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    canvas = np.zeros((rows, columns, 3), np.uint8)
    canvas[: fitted.shape[0], : fitted.shape[1]] = fitted
    return canvas, 1 / scale


def candidates(outputs, columns, rows):
    """Logits and numbers of each level -> scores [n], boxes [n, 4] (x0 y0 x1 y1) and points
    [n, 6, 2] in pixels of the input."""
    centers, _, sizes = cells(columns, rows)
    logits = np.concatenate([o.reshape(-1) for o in outputs[0::2]])
    numbers = np.concatenate([o.reshape(-1, 8, 2) for o in outputs[1::2]])
    level_sizes = sizes[:, None]
    middle, half = centers + level_sizes * numbers[:, 0], level_sizes * np.exp(numbers[:, 1].clip(-4, 4)) / 2
    points = centers[:, None] + level_sizes[..., None] * numbers[:, 2:]
    return 1 / (1 + np.exp(-logits)), np.concatenate([middle - half, middle + half], 1), points


def intersections(box, boxes):
    """The areas that one box shares with others, x0 y0 x1 y1."""
    low, high = np.maximum(boxes[:, :2], box[:2]), np.minimum(boxes[:, 2:], box[2:])
    return (high - low).clip(0).prod(1)


def area(boxes):
    return (boxes[..., 2:] - boxes[..., :2]).prod(-1)


def overlaps(box, boxes):
    """Intersection over union of one box with others, x0 y0 x1 y1."""
    both = intersections(box, boxes)
    return both / np.maximum(area(box) + area(boxes) - both, 1e-9)


def rectangles(width, height, has_parts):
    """x0, y0, x1, y1 of the image, and of its parts."""
    yield 0, 0, width, height
    across, down = 3 * width // 5, 3 * height // 5
    if has_parts and min(across, down) > 0:
        for y in (0, height - down):
            for x in (0, width - across):
                yield x, y, x + across, y + down


def detect_part(network, image, size, rectangle, parameters):
    """`candidates` in one part of the image, in pixels of the image."""
    height, width = image.shape[:2]
    x0, y0, x1, y1 = rectangle
    sides = input_size(image[y0:y1, x0:x1], size)
    canvas, scale = letterboxed(image[y0:y1, x0:x1], *sides)
    scores, boxes, points = candidates(network(canvas), *sides)
    scores = scores * (1 if rectangle == (0, 0, width, height) else parameters.further)
    boxes, points = boxes * scale + (x0, y0, x0, y0), points * scale + (x0, y0)
    low = np.where([x0 > 0, y0 > 0], np.add((x0, y0), parameters.border), -np.inf)
    high = np.where([x1 < width, y1 < height], np.subtract((x1, y1), parameters.border), np.inf)
    kept = (scores >= min(parameters.least_score, parameters.faint)) & \
        (boxes[:, :2] >= low).all(1) & (boxes[:, 2:] <= high).all(1)
    return scores[kept], boxes[kept], points[kept]


def enlarged(network, image, size, found, parameters):
    """`candidates` in the enlarged surroundings of faces that score low, in pixels of the image. `found`: scores and
    boxes, best first."""
    columns, rows = input_size(image, size)
    side, height, width = min(columns, rows) // 2, *image.shape[:2]
    scale = 1 / min(columns / width, rows / height)
    canvas, tiles = np.zeros((rows, columns, 3), np.uint8), []
    places = [(x, y) for y in range(0, rows - side + 1, side) for x in range(0, columns - side + 1, side)]
    for score, box in zip(*found):
        room, middle = parameters.room * (box[2:] - box[:2]).max(), (box[:2] + box[2:]) / 2
        if score >= parameters.sure or room >= scale * side or len(tiles) == len(places):
            continue
        x0, y0 = np.floor((middle - room / 2).clip(0, (width, height))).astype(int)
        x1, y1 = np.ceil((middle + room / 2).clip(0, (width, height))).astype(int)
        if x1 > x0 and y1 > y0:
            x, y = places[len(tiles)]
            canvas[y : y + side, x : x + side], back = letterboxed(image[y0:y1, x0:x1], side, side)
            tiles.append((x, y, x0, y0, back))
    if not tiles:
        return []
    scores, boxes, points = candidates(network(canvas), columns, rows)
    middles, results = (boxes[:, :2] + boxes[:, 2:]) / 2, []
    for x, y, x0, y0, back in tiles:
        own = ((middles >= (x, y)) & (middles < (x + side, y + side))).all(1)
        results.append((parameters.further * scores[own], (boxes[own] - (x, y, x, y)) * back + (x0, y0, x0, y0),
                        (points[own] - (x, y)) * back + (x0, y0)))
    return results


def faces(network, image, size, parameters=Parameters(), has_parts=False):
    """Scores [n], boxes [n, 4] (x0 y0 x1 y1), points [n, 6, 2] in pixels of the image, best first.
    `network`: bytes [height, width, 3] -> its outputs as real numbers; `size`: its input if it is square."""
    parts = rectangles(image.shape[1], image.shape[0], has_parts)
    results = [detect_part(network, image, size, rectangle, parameters) for rectangle in parts]
    found = merged(*[np.concatenate(part) for part in zip(*results)], parameters)
    results += enlarged(network, image, size, found[:2], parameters)
    scores, boxes, points = [np.concatenate(part) for part in zip(*results)]
    kept = scores >= parameters.least_score
    return merged(scores[kept], boxes[kept], points[kept], parameters)


def merged(scores, boxes, points, parameters=Parameters()):
    """Weighted non-maximum suppression."""
    order = np.argsort(-scores, kind="stable")[: parameters.candidates]
    found = []
    while len(order):
        shared = overlaps(boxes[order[0]], boxes[order])
        inside = intersections(boxes[order[0]], boxes[order]) >= parameters.inside * area(boxes[order])
        near = order[(shared >= parameters.mean) | (order == order[0])]
        weights = scores[near] / scores[near].sum()
        found.append((scores[order[0]], np.tensordot(weights, boxes[near], 1),
                      np.tensordot(weights, points[near], 1)))
        order = order[(shared < parameters.overlap) & ~inside & (order != order[0])]
    if not found:
        return np.zeros(0), np.zeros((0, 4)), np.zeros((0, 6, 2))
    return tuple(np.stack(part) for part in zip(*found))
