import { drawn } from './drawn'
import { loadSharp } from './load-sharp'
import { logoPng } from './logo-png'
import { codePdf, sheetPdf } from './pdf'
import { pixelSvgOf, svgOf } from './svg'
import { type CodeTask, QrFault, type QrTask } from './task'
import { PIXELS, PRINT } from './values'

/** Does a task; a sheet piece by piece, everything else in one. @throws QrFault */
export async function* piecesOf(task: QrTask): AsyncGenerator<Uint8Array, void> {
  if (task.kind === 'sheet') yield* sheetPdf(task)
  else if (task.kind === 'logo') yield await logoPng(task.bytes, task.trusted)
  else if (task.format === 'pdf') yield* codePdf(drawn(task), task.look, task.side ?? PRINT.usual)
  else yield task.format === 'png' ? await png(task) : Buffer.from(svg(task))
}

const dataUrl = (png: Uint8Array | null) => png && `data:image/png;base64,${Buffer.from(png).toString('base64')}`

function svg(task: CodeTask): string {
  const { look, side } = task
  return svgOf(drawn(task), look, { logo: dataUrl(look.logo), ...(side !== null && { side: `${side}mm` }) })
}

async function png(task: CodeTask): Promise<Uint8Array> {
  const { look, side } = task
  const drawing = drawn(task)
  const svg = pixelSvgOf(drawing, look, side ?? PIXELS.usual, dataUrl(look.logo))
  if (svg === null) throw new QrFault('tooSmall', drawing.size)
  const sharp = await loadSharp()
  // Most of such a picture is of one color: what a better filter saves is not worth the time.
  return await sharp(Buffer.from(svg)).png({ compressionLevel: 6, adaptiveFiltering: false }).toBuffer()
}
