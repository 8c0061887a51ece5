#!/usr/bin/env bash
# Trains the model on a machine with a GPU and answers the frozen test with it:
#
#   packages/tiny/train/run.sh OUT [SECONDS]
#
# Needs the built packages (`npm run build && npx tsc -b packages/tiny/train`), Node (or NODE) and a Python with torch,
# numpy and safetensors (or PYTHON). Writes OUT/model.safetensors, OUT/answers.json and OUT/log.
set -euo pipefail
out=$(realpath -m "$1")
seconds=${2:-1280}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
node=${NODE:-node}
python=${PYTHON:-python3}
data=$(mktemp -d)
mkdir -p "$out"
exec > >(tee "$out/log") 2>&1
trap 'touch "$data/stop"' EXIT

for number in $(seq 1 $(($(nproc) - 1))); do
  "$node" "$here/dist/write-batches.js" "$number" "$data" 65536 &
done
PYTHONUNBUFFERED=1 "$python" "$here/train.py" --data "$data" --seconds "$seconds" --out "$out/model.safetensors"
touch "$data/stop"
"$node" "$here/dist/freeze-test.js" "$data/questions.json"
PYTHONUNBUFFERED=1 "$python" "$here/train.py" --init "$out/model.safetensors" --seconds 0 \
  --questions "$data/questions.json" --answers "$out/answers.json"
