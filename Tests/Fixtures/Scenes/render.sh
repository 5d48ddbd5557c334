#!/usr/bin/env bash
# Renders every scene to a JPEG, and each object alone to a mask, and writes objects.json.
#
# Needs POV-Ray 3.7 and Python with Pillow. One thread, about half a minute a scene.
set -eu
cd "$(dirname "$0")"
masks=$(mktemp -d)
trap 'rm -rf "$masks"' EXIT
for scene in ${*:-*.pov}; do
  name=${scene%.pov}
  povray "+I$name.pov" "+O$masks/$name.png" +W640 +H480 +WT1 +A0.2 +R2 -D >/dev/null 2>&1
  for index in $(grep -o '^Thing([0-9]*' "$name.pov" | grep -o '[0-9]*'); do
    povray "+I$name.pov" "+O$masks/$name-$index.png" Declare=Only="$index" \
      +W640 +H480 +WT1 +Q1 -A +UA -D >/dev/null 2>&1
  done
done
python3 objects.py "$masks" ${*:-*.pov}
