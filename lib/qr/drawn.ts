import { type Drawing, drawingOf } from './drawing'
import { type Look, QrFault } from './task'

/** The code of a text. @throws QrFault 'tooLong' */
export function drawn({ text, look }: { text: string; look: Look }): Drawing {
  const drawing = drawingOf(text, { ...look, logo: look.logo ? 'own' : 'none' })
  if (drawing === null) throw new QrFault('tooLong')
  return drawing
}
