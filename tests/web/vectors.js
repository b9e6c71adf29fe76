/**
 * The vectors of specs/vectors through verifier/web, in whatever runs this module: Node and Chromium get the same.
 * It judges nothing: `tests/test_web_verifier.py` compares what comes out with what the vectors expect.
 * @module
 */

import { fromHex, toBase64, toHex, fromUtf8, utf8 } from '../../verifier/web/bytes.js';
import { descend, drawDice, openingMessage, seedMessage, seedOf } from '../../verifier/web/dice.js';
import { isConsistent, isIncluded, leafHash, Tree } from '../../verifier/web/hashes.js';
import { readVerifierKey } from '../../verifier/web/identities.js';
import { checkOpening, checkProof, checkReceived, isEvidence, verifyEvidence, verifyLog } from '../../verifier/web/index.js';
import { readCanonical, readPlain } from '../../verifier/web/json.js';
import { isSignedBy, readCheckpoint, readNote } from '../../verifier/web/notes.js';
import { mldsaIsAvailable } from '../../verifier/web/mldsa.js';
import { isMet, judgePolicy, readPolicy } from '../../verifier/web/policy.js';
import { verifyRollProof } from '../../verifier/web/roll-proof.js';
import { isText } from '../../verifier/web/schema.js';
import { PublicKey, prepare } from '../../verifier/web/signatures.js';
import { judge } from '../../verifier/web/worker.js';
import { render } from '../../verifier/web/words.js';

/** @typedef {(path: string) => Promise<Uint8Array>} Read a file of specs/vectors */

/** What is compared of a report. */
export const summary = (report) => ({
  verdict: report.verdict,
  events: report.events,
  valid_prefix: report.validPrefix,
  head: report.head,
  game: report.game,
  findings: report.findings.map(({ code, severity, step, seq, fault, clause, expected, actual, message }) => ({
    code,
    severity,
    step,
    seq,
    fault,
    clause,
    expected,
    actual,
    message: render(message, 'en'),
  })),
  trust: render(report.trust, 'en'),
  checked: report.checked.map((each) => render(each, 'en')),
  not_checked: report.notChecked.map((each) => render(each, 'en')),
  event: report.event ?? null,
  kind: report.kind,
  undecided: report.state ? report.state.undecided : [],
  rolls: report.state ? report.state.rolls.map(({ seq, sides, naturals, ended }) => ({ seq, sides, naturals, ended })) : [],
});

const json = async (read, path) => JSON.parse(fromUtf8(await read(path)));

async function logs(read) {
  const results = {};
  for (const { file, expect, receipts = [] } of await json(read, 'logs/index.json')) {
    const beside = receipts.map((text, i) => ({ name: `receipt ${i}`, bytes: utf8(text) }));
    results[file] = summary(await verifyLog(await read(`logs/${file}`), { ...expect, receipts: beside }));
  }
  return results;
}

/** Event logs and bundles: the whole event first, then the cases. */
async function events(read) {
  const vectors = await json(read, 'event.json');
  const whole = vectors.event;
  const found = [];
  for (const lines of [whole, ...vectors.cases.map(({ keep, lines }) => [...whole.slice(0, keep), ...lines])]) {
    found.push(summary(await judge('', utf8(lines.map((line) => `${line}\n`).join('')), {})));
  }
  return found;
}

async function bundles(read) {
  const { lines, cases } = await json(read, 'bundles.json');
  const found = [];
  for (const each of cases) found.push(summary(await judge('', utf8(each.lines.map((at) => lines[at]).join('')), {})));
  return found;
}

async function notes(read) {
  const vectors = await json(read, 'notes.json');
  const log = await read(`logs/${vectors.log}`);
  const keeper = readVerifierKey(vectors.keys.host.verifier_key);
  const keeperKey = await PublicKey.from(keeper.publicKey);
  const results = { trees: [], checkpoints: [], receipts: [], policies: [], proofs: [] };
  const leaves = vectors.leaves.map((hex) => leafHash(fromHex(hex)));
  const base64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  for (const { size, root, inclusion, consistency } of vectors.trees) {
    const tree = new Tree();
    for (const leaf of leaves.slice(0, size)) tree.append(leaf);
    const roots = leaves.slice(0, size).map((_, i) => tree.root(i + 1));
    const held = [toBase64(roots[size - 1]) === root];
    for (const [index, proof] of inclusion.entries()) held.push(isIncluded(leaves[index], index, size, proof.map(base64), roots[size - 1]));
    for (const [index, proof] of consistency.entries()) {
      if (index + 1 < size) held.push(isConsistent(index + 1, size, proof.map(base64), roots[index], roots[size - 1]));
    }
    results.trees.push(held.every(Boolean));
  }
  for (const { note, hex } of vectors.checkpoints) {
    const parsed = readNote(hex === undefined ? utf8(note) : fromHex(hex));
    const checkpoint = parsed && readCheckpoint(parsed);
    results.checkpoints.push({
      read: checkpoint && { game: checkpoint.game, size: checkpoint.size, root: toHex(checkpoint.root) },
      by_keeper: parsed !== null && checkpoint !== null && (await isSignedBy(parsed, 'host', keeperKey)),
    });
  }
  const lines = fromUtf8(log).split('\n');
  for (const { lines: count, receipts, policy, log: other } of vectors.receipts) {
    const bytes = other
      ? await read(`logs/${other}`)
      : utf8(
          lines
            .slice(0, count)
            .map((line) => line + '\n')
            .join(''),
        );
    const report = await verifyLog(bytes, {
      receipts: receipts.map((text, i) => ({ name: `receipt ${i}`, bytes: utf8(text) })),
      policy: policy === undefined ? null : utf8(policy),
    });
    results.receipts.push(summary(report).findings.filter((finding) => finding.severity === 'error'));
  }
  for (const { policy, checkpoints } of vectors.policies) {
    const parsed = await readPolicy(utf8(policy));
    results.policies.push(parsed && (await Promise.all(checkpoints.map(({ note }) => isMet(parsed, readNote(utf8(note)))))));
  }
  for (const { proof, expected } of vectors.proofs) {
    const key = readVerifierKey(expected.keeper);
    results.proofs.push(
      await checkProof(utf8(proof), {
        game: expected.game,
        keeper: key.name,
        keeperKey: await PublicKey.from(key.publicKey),
        index: expected.index,
        size: expected.size ?? undefined,
        line: expected.line == null ? undefined : utf8(expected.line),
        keys: (expected.keys ?? []).map(readVerifierKey),
        policy: expected.policy ? await readPolicy(utf8(expected.policy)) : undefined,
      }).then(({ result, step }) => (step ? [step, result] : result)),
    );
  }
  return results;
}

/** Policies with ML-DSA-44 keys, and a log and a proof under each of them. */
export async function mldsa(read) {
  const vectors = await json(read, 'mldsa.json');
  const { log, keys, proofs } = await json(read, 'notes.json');
  const [bytes, host] = [await read(`logs/${log}`), readVerifierKey(keys.host.verifier_key)];
  const valid = vectors.keys.map(({ key }) => readPolicy(utf8(`witness w ${key}\nquorum w\n`)) !== null);
  const policies = [];
  for (const { policy, note } of vectors.policies) {
    const parsed = readPolicy(utf8(policy));
    const report = await verifyLog(bytes, { receipts: [{ name: 'mine', bytes: utf8(note) }], policy: utf8(policy) });
    const { proof, expected } = proofs[0];
    const above = proof.slice(0, proof.indexOf('\n\n') + 2);
    const proven = await checkProof(utf8(above + note), {
      game: expected.game,
      keeper: host.name,
      keeperKey: await PublicKey.from(host.publicKey),
      index: expected.index,
      policy: parsed,
    });
    policies.push({ ...(await judgePolicy(parsed, [readNote(utf8(note))])), report: summary(report), proof: proven.result });
  }
  return { available: await mldsaIsAvailable(), valid, policies };
}

async function disputes(read) {
  const vectors = await json(read, 'disputes.json');
  const results = [];
  for (const { data } of vectors.evidence) {
    const bytes = utf8(data);
    results.push({ taken: isEvidence(bytes, 'x.evidence'), ...summary(await verifyEvidence(bytes)) });
  }
  return results;
}

async function rollProofs(read) {
  const results = [];
  for (const { file } of (await json(read, 'rolls.json')).cases) {
    const { verdict, findings, roll } = await verifyRollProof(utf8(file));
    results.push({
      verdict,
      codes: findings.map(({ code }) => code),
      naturals: roll?.dice.map(({ natural }) => natural) ?? null,
      request: roll?.seq ?? null,
    });
  }
  return results;
}

async function openings(read) {
  const vectors = await json(read, 'openings.json');
  const { state } = await verifyLog(await read(`logs/${vectors.log}`));
  return {
    openings: await Promise.all(vectors.openings.map(({ sent }) => checkOpening(state, utf8(sent)))),
    receipts: await Promise.all(vectors.receipts.map(({ sent }) => checkReceived(state, utf8(sent)))),
  };
}

async function signatures(read) {
  const vectors = await json(read, 'signatures.json');
  /** By the whole rule, and by the rule in own integers alone. */
  const results = [];
  for (const { public_key: key, message, signature } of vectors.signatures) {
    const ready = await PublicKey.from(fromHex(key));
    const both = [await ready.verify(fromHex(signature), fromHex(message))];
    ready.imported = null;
    both.push(await ready.verify(fromHex(signature), fromHex(message)));
    results.push(both);
  }
  return { results, platform: await prepare() };
}

async function canonicals(read) {
  return (await json(read, 'canonical.json')).lines.map(({ hex }) => {
    const text = fromUtf8(fromHex(hex));
    if (text === null) return 'line.malformed';
    if (readCanonical(text) !== undefined) return 'canonical';
    const plain = readPlain(text);
    return plain === null || plain.surrogates || plain.numbers ? 'line.malformed' : 'line.not-canonical';
  });
}

async function texts(read) {
  return (await json(read, 'texts.json')).texts.map(({ text }) => isText(text));
}

async function identities(read) {
  const vectors = await json(read, 'identities.json');
  const told = async ({ verifier_key: text }) => {
    const identity = readVerifierKey(text);
    return identity && { name: identity.name, public_key: toHex(identity.publicKey), key_id: toHex(identity.keyId) };
  };
  return { valid: await Promise.all(vectors.valid.map(told)), invalid: await Promise.all(vectors.invalid.map(told)) };
}

async function dice(read) {
  const vectors = await json(read, 'dice.json');
  const told = async (seed, sides) => {
    const drawn = drawDice(fromHex(seed), sides);
    return {
      naturals: drawn.dice.map((die) => die.natural),
      blocks: drawn.blocks.map(toHex),
      limits: drawn.dice.map((die) => Number(die.limit)),
      rejected: drawn.dice.map((die) => die.passedOver.length),
    };
  };
  const rolls = [];
  for (const roll of [vectors.one_roll_by_hand, ...vectors.rolls]) {
    const game = fromHex(roll.game);
    const shares = roll.openings.map(({ author, link }) => ({ name: author, link: fromHex(link) }));
    const tips = [];
    for (const { author, index, link } of roll.openings) tips.push(toHex(descend(game, author, index, fromHex(link), 0)));
    rolls.push({
      seed_message: toHex(seedMessage(roll.roll_index, shares)),
      seed: toHex(seedOf(game, roll.roll_index, shares)),
      tips,
      messages: roll.openings.map(({ author, index, link }) => toHex(openingMessage(game, fromHex(roll.request), author, index, fromHex(link)))),
      ...(await told(roll.seed, roll.sides)),
    });
  }
  return {
    rolls,
    streams: await Promise.all(vectors.streams.map(({ seed, sides }) => told(seed, sides))),
    dependent: await Promise.all(vectors.dependent.map(({ seed, sides }) => told(seed, sides))),
  };
}

/** What is made of each kind of vectors. */
export const KINDS = {
  logs,
  events,
  bundles,
  notes,
  mldsa,
  disputes,
  rolls: rollProofs,
  openings,
  signatures,
  canonical: canonicals,
  texts,
  identities,
  dice,
};

/** @param {Read} read */
export async function runVectors(read) {
  const results = {};
  for (const [kind, made] of Object.entries(KINDS)) results[kind] = await made(read);
  return results;
}
