#!/bin/sh
# Shows that the same seeds make the same files: sh training/again.sh OUT_FOLDER [STEPS] [EXAMPLES]
# Makes examples and trains both models twice, each time from nothing and with a shortened run, and compares checksums. Needs no
# corpus; a few minutes of one core. Ends with 1 where anything differs.
set -eu
out=$1 steps=${2:-30} count=${3:-1500}
cd "$(dirname "$0")/.."
python=${PYTHON:-/usr/bin/python3}
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 PYTHONHASHSEED=0

for making in first second; do
  folder=$out/$making
  mkdir -p "$folder"
  rm -rf "$folder"/*
  npx tsx training/generate.ts "$folder/gen.jsonl" "$count" 11
  "$python" training/train_linear.py "$folder/linear.json" 1 "$folder/gen.jsonl"
  "$python" training/train_starter.py "$folder/starter" "$steps" 1 "$folder/gen.jsonl"
  (cd "$folder" && sha256sum gen.jsonl linear.json starter/merges.json starter/starter.gguf) > "$out/$making.sha256"
done
cat "$out/first.sha256"
if cmp -s "$out/first.sha256" "$out/second.sha256"; then echo "the same again"; else
  diff "$out/first.sha256" "$out/second.sha256" || true
  exit 1
fi
