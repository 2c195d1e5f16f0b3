/** Whether a module of the code is dark. */
export type IsDark = (column: number, row: number) => boolean

/** A corner, and the direction to leave it in: 0 right, 1 down, 2 left, 3 up. */
type Step = readonly [column: number, row: number, way: number]

const WAYS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const

/**
 * The outlines of the dark modules, as an SVG path to be filled by `evenodd`. Squares would not do: printers and screens show
 * hairlines between squares that touch.
 * @param size modules on each side
 * @param offset of the first module, in modules
 */
export function outlineOf(size: number, isDark: IsDark, offset: number): string {
  const dark = (column: number, row: number) => column >= 0 && row >= 0 && column < size && row < size && isDark(column, row)
  const passed = new Set<number>()
  let path = ''
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      // Each outline has an upper edge, which leads to the right above a dark module.
      if (!dark(column, row) || dark(column, row - 1) || passed.has(row * size + column)) continue
      path += trace(column, row)
    }
  }
  return path

  function trace(column: number, row: number): string {
    let path = `M${column + offset} ${row + offset}`
    let [x, y, way]: Step = [column, row, 0]
    let length = 0
    do {
      if (way === 0) passed.add(y * size + x)
      const [dx, dy] = WAYS[way] ?? WAYS[0]
      x += dx
      y += dy
      length += 1
      const next = turn(x, y, way)
      if (next === way) continue
      path += `${way % 2 === 0 ? 'h' : 'v'}${(dx + dy) * length}`
      way = next
      length = 0
    } while (x !== column || y !== row || way !== 0)
    return `${path}z`
  }

  /** The next direction: dark modules stay on the right, and modules that touch only at a corner stay apart. */
  function turn(x: number, y: number, way: number): number {
    const [ahead, beside] = AHEAD[way] ?? AHEAD[0]
    if (!dark(x + ahead[0], y + ahead[1])) return (way + 1) % 4
    return dark(x + beside[0], y + beside[1]) ? (way + 3) % 4 : way
  }
}

/** By the direction that leads to a corner: the modules beyond it on the right and on the left, relative to the corner. */
const AHEAD = [
  [
    [0, 0],
    [0, -1],
  ],
  [
    [-1, 0],
    [0, 0],
  ],
  [
    [-1, -1],
    [-1, 0],
  ],
  [
    [0, -1],
    [-1, -1],
  ],
] as const
