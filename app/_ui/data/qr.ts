import { create, toDataURL, toString as toText } from 'qrcode'

/** Loaded only when a QR code is asked for. Level M stands up to a scratch or a fold. */
const OPTIONS = { errorCorrectionLevel: 'M', margin: 4 } as const

export interface QrShape {
  /** Modules on each side, with the quiet zone that readers need. */
  size: number
  /** SVG path of the dark modules. */
  path: string
}

export function qrShape(text: string): QrShape {
  const { modules } = create(text, OPTIONS)
  let path = ''
  for (let row = 0; row < modules.size; row++) {
    for (let column = 0; column < modules.size; column++) {
      if (modules.get(row, column)) path += `M${column + OPTIONS.margin} ${row + OPTIONS.margin}h1v1h-1z`
    }
  }
  return { size: modules.size + 2 * OPTIONS.margin, path }
}

/** The deployment's colour, dark enough for readers: what `QrImage` draws with too. On white in both schemes. */
const colors = () => ({ dark: getComputedStyle(document.documentElement).getPropertyValue('--qr').trim(), light: '#ffffff' })

export async function qrSvg(text: string): Promise<Blob> {
  return new Blob([await toText(text, { ...OPTIONS, type: 'svg', color: colors() })], { type: 'image/svg+xml' })
}

/** 1,024 pixels wide: sharp in print at 8 cm. */
export async function qrPng(text: string): Promise<Blob> {
  const url = await toDataURL(text, { ...OPTIONS, type: 'image/png', width: 1024, color: colors() })
  const bytes = Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), (char) => char.charCodeAt(0))
  return new Blob([bytes], { type: 'image/png' })
}
