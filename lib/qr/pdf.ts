import type PDFDocument from 'pdfkit'
import type { Drawing } from './drawing'
import { drawn } from './drawn'
import { cellsOf, cutMarksOf } from './sheet'
import type { Look, SheetTask } from './task'
import { PAPERS } from './values'

/** Points in a millimetre. */
export const POINTS = 72 / 25.4

const FONT = 'Helvetica'
/** Sizes of captions in points: the largest that fits is taken. */
const FONT_SIZES = [9, 8, 7, 6, 5]
const LINE = 0.25

/** What pdfkit makes of the bytes of a picture. Its types do not know that one can be used more than once. */
type Picture = Parameters<PDFKit.PDFDocument['image']>[0] | null

/** One code as a PDF of its size. @param side in millimetres */
export async function* codePdf(drawing: Drawing, look: Look, side: number): AsyncGenerator<Uint8Array, void> {
  const doc = await begin([side * POINTS, side * POINTS])
  draw(doc, drawing, look, pictureOf(doc, look), { x: 0, y: 0, side: side * POINTS })
  yield* end(doc)
}

/** A sheet of codes, page by page, so that memory never holds more than one. */
export async function* sheetPdf(task: SheetTask): AsyncGenerator<Uint8Array, void> {
  const { codes, look, layout } = task
  const [width, height] = PAPERS[layout.paper]
  const size: [number, number] = [width * POINTS, height * POINTS]
  const cells = cellsOf(layout)
  const doc = await begin(size)
  const picture = pictureOf(doc, look)
  for (let from = 0; from < codes.length; from += cells.length) {
    if (from > 0) {
      doc.addPage({ size, margin: 0 })
      yield* ready(doc)
    }
    const page = codes.slice(from, from + cells.length)
    if (layout.cutMarks) drawLines(doc, cutMarksOf(layout))
    for (const [i, { text, caption }] of page.entries()) {
      const cell = cells[i]
      if (!cell) continue
      const { x, y, side } = cell
      draw(doc, drawn({ text, look }), look, picture, { x: x * POINTS, y: y * POINTS, side: side * POINTS })
      const { left, width } = cell.caption
      if (caption) write(doc, caption, left * POINTS, (y + side) * POINTS, width * POINTS)
    }
  }
  yield* end(doc)
}

async function begin(size: [number, number]): Promise<PDFKit.PDFDocument> {
  const { default: Document } = await import('pdfkit')
  const doc: PDFKit.PDFDocument = new (Document as typeof PDFDocument)({ size, margin: 0, info: { Title: 'QR' } })
  return doc
}

/** What has been written so far. */
function* ready(doc: PDFKit.PDFDocument): Generator<Uint8Array, void> {
  const bytes = doc.read() as Buffer | null
  if (bytes !== null) yield bytes
}

async function* end(doc: PDFKit.PDFDocument): AsyncGenerator<Uint8Array, void> {
  doc.end()
  for await (const bytes of doc) yield bytes as Buffer
}

function pictureOf(doc: PDFKit.PDFDocument, { logo }: Look): Picture {
  if (logo === null) return null
  return (doc as unknown as { openImage(bytes: Buffer): Picture }).openImage(Buffer.from(logo))
}

function draw(
  doc: PDFKit.PDFDocument,
  { size, path, logo }: Drawing,
  { foreground, background }: Look,
  picture: Picture,
  at: { x: number; y: number; side: number },
): void {
  doc.save()
  doc.translate(at.x, at.y).scale(at.side / size)
  if (background) doc.rect(0, 0, size, size).fill(background)
  doc.path(path).fill(foreground, 'even-odd')
  if (logo && picture) {
    const side = logo.side - 1
    doc.image(picture, logo.at + 0.5, logo.at + 0.5, { fit: [side, side], align: 'center', valign: 'center' })
  }
  doc.restore()
}

/** A caption in one line, centred, cut off where even the smallest letters do not fit. */
function write(doc: PDFKit.PDFDocument, text: string, x: number, y: number, width: number): void {
  doc.font(FONT).fillColor('#000000')
  const fitting = FONT_SIZES.find((size) => doc.fontSize(size).widthOfString(text) <= width)
  let shown = text
  while (fitting === undefined && shown.length > 1 && doc.widthOfString(`${shown}…`) > width) shown = shown.slice(0, -1)
  const line = fitting === undefined ? `${shown}…` : text
  doc.text(line, x + (width - doc.widthOfString(line)) / 2, y + 2, { lineBreak: false })
}

function drawLines(doc: PDFKit.PDFDocument, lines: readonly (readonly [number, number, number, number])[]): void {
  doc.lineWidth(LINE).strokeColor('#000000')
  for (const [x, y, toX, toY] of lines) {
    doc.moveTo(x * POINTS, y * POINTS).lineTo(toX * POINTS, toY * POINTS)
  }
  doc.stroke()
}
