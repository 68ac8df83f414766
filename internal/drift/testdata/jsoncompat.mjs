// Judges the pairs of arguments that TestSound wrote by the npm package jsoncompat
// 0.4.2, and counts wrong answers of both. By hand:
//
//	MCPBIND_DRIFT_DUMP=/tmp/pairs.jsonl go test ./internal/drift -run TestSound
//	npm install --prefix /tmp/jsoncompat jsoncompat@0.4.2
//	node testdata/jsoncompat.mjs /tmp/jsoncompat /tmp/pairs.jsonl
//
// It asks whether every value that is valid by the old schema is valid by the new
// one, so it is held against any such value; we ask for what callers may send. No
// value found is no proof: "breaking without a value" bounds what is false.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { createInterface } from "node:readline";
import { createReadStream } from "node:fs";

const [folder, file] = process.argv.slice(2);
const home = `${folder}/node_modules/jsoncompat`;
const { initSync, check_compat } = await import(pathToFileURL(`${home}/jsoncompat_wasm.js`));
initSync({ module: readFileSync(`${home}/jsoncompat_wasm_bg.wasm`) });

const theirs = { name: "jsoncompat", pairs: 0, fails: 0, falseCompatible: 0, breakingWithoutValue: 0 };
const ours = { name: "mcpbind", pairs: 0, fails: 0, falseCompatible: 0, breakingWithoutValue: 0 };
const judge = (tally, compatible, broken) => {
  tally.pairs++;
  if (compatible && broken) tally.falseCompatible++;
  if (!compatible && !broken) tally.breakingWithoutValue++;
};
const reasons = {};
for await (const line of createInterface({ input: createReadStream(file) })) {
  const pair = JSON.parse(line);
  let compatible;
  try {
    compatible = check_compat(JSON.stringify(pair.old), JSON.stringify(pair.new), "deserializer");
  } catch (e) {
    theirs.fails++;
    const reason = String(e).slice(0, 60);
    reasons[reason] = (reasons[reason] ?? 0) + 1;
    continue;
  }
  judge(theirs, compatible, pair.broken);
  judge(ours, pair.compatible, pair.brokenForCallers);
}
console.table([theirs, ours]);
console.log("does not run:", reasons);
