import type { SheetLayout } from './task'
import { PAPERS, PRINT } from './values'

/** Where codes are on a sheet. Everything is in millimetres from the upper left corner of the page. */

/** The edge that printers cannot reach. */
const EDGE = 10
/** Between a code and the cut. */
const PADDING = 2
/** Height of a caption. */
const CAPTION = 5
/** How far a cut mark reaches to each side. */
const MARK = 2

export interface Cell {
  x: number
  y: number
  /** Of the code. */
  side: number
  caption: { left: number; width: number }
}

function gridOf({ paper, rows, columns }: Pick<SheetLayout, 'paper' | 'rows' | 'columns'>) {
  const [width, height] = PAPERS[paper]
  return { width: (width - 2 * EDGE) / columns, height: (height - 2 * EDGE) / rows }
}

/** What decides how large the codes of a sheet are. */
export type SheetShape = Pick<SheetLayout, 'paper' | 'rows' | 'columns' | 'caption'>

/** The space for a code in its cell. */
function roomOf(shape: SheetShape): { width: number; height: number } {
  const { width, height } = gridOf(shape)
  return { width: width - 2 * PADDING, height: height - (shape.caption === 'none' ? 0 : CAPTION) - 2 * PADDING }
}

/** Whether rows or columns are too many for codes that can be read; null for neither. */
export function tooMany(shape: SheetShape): 'rows' | 'columns' | null {
  const { width, height } = roomOf(shape)
  if (Math.min(width, height) >= PRINT.least) return null
  return height < width ? 'rows' : 'columns'
}

/** The cells of one page, row by row. */
export function cellsOf(layout: SheetLayout): Cell[] {
  const { rows, columns, caption } = layout
  const { width, height } = gridOf(layout)
  const room = roomOf(layout)
  const side = Math.min(room.width, room.height)
  const above = (height - side - (caption === 'none' ? 0 : CAPTION)) / 2
  return Array.from({ length: rows * columns }, (_, i) => {
    const left = EDGE + (i % columns) * width
    return {
      x: left + (width - side) / 2,
      y: EDGE + Math.floor(i / columns) * height + above,
      side,
      caption: { left: left + PADDING / 2, width: width - PADDING },
    }
  })
}

/** A small cross at each corner of each cell. @returns lines: from x, y to x, y */
export function cutMarksOf(layout: SheetLayout): [number, number, number, number][] {
  const { rows, columns } = layout
  const { width, height } = gridOf(layout)
  const lines: [number, number, number, number][] = []
  for (let row = 0; row <= rows; row++) {
    for (let column = 0; column <= columns; column++) {
      const [x, y] = [EDGE + column * width, EDGE + row * height]
      lines.push([x - MARK, y, x + MARK, y], [x, y - MARK, x, y + MARK])
    }
  }
  return lines
}
