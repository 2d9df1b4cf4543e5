#!/bin/sh
# Makes both models from the corpora, in order: sh training/make.sh CORPUS_FOLDER CASES_FOLDER OUT_FOLDER
# Ends by saying whether what came out is, byte for byte, what models/ holds; where it is not, compare.py says how far it is.
set -eu
corpus=$1 cases=$2 out=$3
cd "$(dirname "$0")/.."
python=${PYTHON:-/usr/bin/python3}
# One thread, so that sums are taken in one order; memory that is given back between steps costs half the time.
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 PYTHONHASHSEED=0
export MALLOC_MMAP_THRESHOLD_=1000000000 MALLOC_TRIM_THRESHOLD_=4000000000
mkdir -p "$out/starter"

npx tsx training/generate.ts "$out/gen.jsonl" 16000 11
npx tsx training/exportReal.ts "$corpus" "$out/real.jsonl" 7
npx tsx training/exportHand.ts "$cases" "$out/hand.jsonl"
"$python" training/train_linear.py "$out/linear.json" 1 "$out/gen.jsonl" "$out/real.jsonl"
"$python" training/train_starter.py "$out/starter" 1200 1 "$out/gen.jsonl" "$out/real.jsonl"
cp "$out/starter/starter.gguf" "$out/starter.gguf"
npx tsx training/measure.ts "$out/starter.gguf" "$out/linear.json" "$out/starter.json" "$out/gen.jsonl" "$out/real.jsonl" "$out/hand.jsonl" > "$out/figures.md"

for name in linear.json starter.gguf starter.json; do
  if cmp -s "$out/$name" "models/$name"; then echo "$name: the same"; else echo "$name: differs"; fi
done
"$python" training/compare.py "$out/starter.gguf" models/starter.gguf
