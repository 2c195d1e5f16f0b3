import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import { create } from 'qrcode/lib/core/qrcode.js'
import type { Terse } from '../client.js'
import { clientFor, examples } from '../command.js'
import { UsageError } from '../exit.js'
import { print } from '../terminal.js'

const FORMATS = ['svg', 'png', 'pdf'] as const

export function addQr(program: Command): void {
  const command = program
    .command('qr')
    .summary('show or save a QR code')
    .description('Draws the QR code of a link in the terminal, or saves it as SVG, PNG or PDF.')
    .argument('<link>', 'its code, or its whole address')
    .option('-o, --output <file>', 'save it to this file; its ending says how')
    .option('--invert', 'dark on light, for terminals with a light background')
    .action((link: string, options: { output?: string; invert?: boolean }, command: Command) =>
      qr(clientFor(command), link, options),
    )
  examples(command, 'terse qr sale', 'terse qr sale -o sale.svg')
}

async function qr(client: Terse, link: string, { output, invert }: { output?: string; invert?: boolean }): Promise<void> {
  if (output !== undefined) {
    const format = FORMATS.find((one) => `.${one}` === path.extname(output).toLowerCase())
    if (format === undefined) throw new UsageError('The file has to end with .svg, .png or .pdf.')
    writeFileSync(output, await client.links.qr(link, format))
    return
  }
  const { shortUrl } = await client.links.get(link)
  for (const line of drawn(shortUrl, invert)) print(line)
  print(shortUrl)
}

/** The margin around a code, in modules (ISO/IEC 18004 asks for four). */
const MARGIN = 4

/** Two modules in each character, one above the other. Light modules are drawn: terminals are dark unless they say otherwise. */
export function drawn(text: string, invert = false): string[] {
  const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules
  const isDark = (x: number, y: number) => x >= 0 && y >= 0 && x < size && y < size && data[y * size + x] === 1
  const isDrawn = (x: number, y: number) => isDark(x, y) === invert
  const lines: string[] = []
  for (let y = -MARGIN; y < size + MARGIN; y += 2) {
    let line = ''
    for (let x = -MARGIN; x < size + MARGIN; x++) {
      line += isDrawn(x, y) ? (isDrawn(x, y + 1) ? '█' : '▀') : isDrawn(x, y + 1) ? '▄' : ' '
    }
    lines.push(line)
  }
  return lines
}
