import { loadSharp } from './load-sharp'
import { QrFault } from './task'
import { LOGO } from './values'

/** The formats that are read, by the first bytes of a file. An SVG is text. */
const SIGNATURES: Record<string, (bytes: Buffer) => boolean> = {
  png: (bytes) => bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])),
  jpeg: (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  webp: (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
}

/** The first tag of an SVG. Comments and declarations can come before it. */
const SVG = /<svg[\s>]/i
/** How many bytes of a file are searched for it. */
const BEGINNING = 4_096

/**
 * Draws an uploaded picture again as a small PNG, so that nothing else of the file is kept. Its format is read from its first
 * bytes and its size from its header, before anything is unpacked.
 * @param trusted whether it can be an SVG, which can hold scripts
 * @throws QrFault 'svg', 'notImage' or 'tooManyPixels'
 */
export async function logoPng(given: Uint8Array, trusted = false): Promise<Uint8Array> {
  const bytes = Buffer.from(given)
  const isSvg = SVG.test(bytes.toString('utf8', 0, BEGINNING))
  const isPicture = Object.values(SIGNATURES).some((begins) => begins(bytes))
  if (!isPicture && !(isSvg && trusted)) throw new QrFault(isSvg ? 'svg' : 'notImage')
  const sharp = await loadSharp()
  try {
    const read = () => sharp(bytes, { limitInputPixels: LOGO.most ** 2, failOn: 'error', density: 288, pages: 1 })
    const { width = 0, height = 0 } = await sharp(bytes, { limitInputPixels: false }).metadata()
    if (!trusted && (width > LOGO.most || height > LOGO.most)) throw new QrFault('tooManyPixels')
    const { side } = LOGO
    return await read()
      .autoOrient()
      .resize(side, side, { fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .png({ compressionLevel: 9 })
      .toBuffer()
  } catch (error) {
    if (error instanceof QrFault) throw error
    throw new QrFault('notImage')
  }
}
