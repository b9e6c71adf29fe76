// node tests/web/secrets.mjs    makes a chain and a link of it, and looks what of its secrets is left in any array; JSON
// Every typed array that the modules make is noted: the constructors are others before they are loaded.

const noted = [];
for (const name of ['Uint8Array', 'Int32Array', 'Uint32Array', 'BigUint64Array']) {
  const Real = globalThis[name];
  globalThis[name] = class extends Real {
    constructor(...given) {
      super(...given);
      noted.push(this);
    }
  };
}
const { linkOf, newSealingKey, ownChain } = await import('../../ledger/web/core/chains.js');
const { linkMessage } = await import('../../verifier/web/dice.js');
const { createHash, createHmac } = await import('node:crypto');

const game = Uint8Array.from({ length: 32 }, (_, i) => i);
const length = 6;
const links = [];
const inner = [];
let link = Buffer.from('5ec2e7'.repeat(11).slice(0, 64), 'hex');
for (let index = length; index >= 0; index--) {
  links[index] = Buffer.from(link);
  const block = Buffer.concat([link, Buffer.alloc(32)]).map((byte) => byte ^ 0x36);
  inner[index] = createHash('sha256')
    .update(block)
    .update(linkMessage(game, 'alice', index))
    .digest();
  if (index > 0)
    link = createHmac('sha256', link)
      .update(linkMessage(game, 'alice', index))
      .digest();
}
const key = await newSealingKey();
const own = await ownChain(game, 'alice', key, Uint8Array.from(links[length]), length);
const opened = await linkOf(game, 'alice', key, own, 2);

/** Where four bytes in a row of a secret stand in memory, as bytes or as words. */
const found = [];
const bytesOf = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength);
for (const array of noted) {
  if (array.buffer instanceof SharedArrayBuffer || array.byteLength < 4) continue;
  const bytes = bytesOf(array);
  const turned = Buffer.from(bytes);
  if (array.BYTES_PER_ELEMENT === 4) turned.swap32();
  for (let index = 3; index <= length; index++) {
    for (let at = 0; at < 32; at += 4) {
      for (const [what, secret] of Object.entries({ link: links[index], 'inner hash': inner[index] })) {
        const part = secret.subarray(at, at + 4);
        if (bytes.includes(part) || turned.includes(part)) found.push(`${what} ${index} in ${array.constructor.name} ${array.length}`);
      }
    }
  }
}
// The states of HMAC are worth the key: none is left but what the modules begin with.
const words = noted.filter((array) => array.BYTES_PER_ELEMENT === 4 && array.length <= 64 && array.some((word) => word !== 0));
process.stdout.write(
  JSON.stringify({
    tip: own.tip === links[0].toString('hex'),
    opened: opened === links[2].toString('hex'),
    noted: noted.length,
    found: [...new Set(found)],
    constants: words.map((array) => array.length).sort((a, b) => a - b),
  }),
);
