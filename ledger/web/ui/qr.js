/**
 * A link as a QR code, made on this machine: the part behind # is never sent to the server.
 * @module
 */

import { html, useEffect, useState } from './html.js';
import { fetchModule } from './fetched.js';

const ENCODER = 'ledger/web/vendor/uqr.module.js';

/** Modules of white around it (ISO/IEC 18004). */
const QUIET = 4;

/**
 * Nothing is shown until the module that draws it has loaded: few people want a code, and a first visit does without.
 * @param {{text: string, label: string}} props
 */
export function Qr({ text, label }) {
  const [code, setCode] = useState(/** @type {{size: number, data: boolean[][]} | null} */ (null));
  useEffect(() => {
    let wanted = true;
    fetchModule(ENCODER, 'qr').then(
      ({ encode }) => wanted && setCode(encode(text, { ecc: 'L', border: QUIET })),
      () => {}, // the link stands beside it
    );
    return () => {
      wanted = false;
    };
  }, [text]);
  if (code === null) return null;
  const path = code.data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return html`<svg class="qr" viewBox=${`0 0 ${code.size} ${code.size}`} role="img" aria-label=${label} shape-rendering="crispEdges">
    <rect class="light" width=${code.size} height=${code.size} /><path class="dark" d=${path} /></svg>`;
}
