// The text of a key (NATS, nkeys): what it is, the key itself, and a CRC-16; as base32.

const CRC_POLYNOMIAL = 0x10_21;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function nkey(bytes: readonly number[]): string {
  const body = Buffer.from(bytes);
  const checked = Buffer.alloc(body.length + 2);
  body.copy(checked);
  checked.writeUInt16LE(crc16(body), body.length);
  return base32(checked);
}

/** With the CRC, which is not checked. */
export function nkeyBytes(text: string): readonly number[] {
  const bits = Array.from(text, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return (bits.match(/.{8}/gu) ?? []).map((eight) => Number.parseInt(eight, 2));
}

function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = ((crc << 1) ^ ((crc & 0x80_00) === 0 ? 0 : CRC_POLYNOMIAL)) & 0xff_ff;
    }
  }
  return crc;
}

function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/gu) ?? [])
    .map((five) => BASE32.charAt(Number.parseInt(five.padEnd(5, '0'), 2)))
    .join('');
}
