/** What the page uses of uqr; written here, for what checks types. */
export function encode(data: string, options?: { ecc?: 'L' | 'M' | 'Q' | 'H', border?: number }): { size: number, data: boolean[][] };
