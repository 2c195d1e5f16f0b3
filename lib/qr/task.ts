import type { QrStyle } from './style'
import type { Caption, Paper } from './values'

/** What is drawn outside the thread that answers redirects: plain data, since it goes from thread to thread. */

/** A style with the logo itself. */
export interface Look extends Omit<QrStyle, 'logo'> {
  /** A PNG. */
  logo: Uint8Array | null
}

export interface CodeTask {
  kind: 'code'
  text: string
  look: Look
  format: 'svg' | 'png' | 'pdf'
  /** Of a PNG, each side in pixels; of others, in millimetres, and null for an SVG that is as large as its place. */
  side: number | null
}

export interface SheetTask {
  kind: 'sheet'
  /** What the codes say, and what stands under each. */
  codes: readonly { text: string; caption: string }[]
  look: Look
  layout: SheetLayout
}

export interface SheetLayout {
  paper: Paper
  rows: number
  columns: number
  caption: Caption
  cutMarks: boolean
}

/** Draws an uploaded logo again as the PNG to keep. */
export interface LogoTask {
  kind: 'logo'
  bytes: Uint8Array
  /** Whether it is the operator’s, and so can be an SVG. */
  trusted: boolean
}

export type QrTask = CodeTask | SheetTask | LogoTask

/** A text too long for its level, a PNG with fewer pixels than modules, or a logo that is an SVG, no picture, or too large. */
export type FaultReason = 'tooLong' | 'tooSmall' | 'svg' | 'notImage' | 'tooManyPixels'

/** Why a task cannot be done. */
export class QrFault extends Error {
  override readonly name = 'QrFault'

  constructor(
    readonly reason: FaultReason,
    /** With `tooSmall`: the least pixels. */
    readonly least = 0,
  ) {
    super(reason)
  }
}
