import { useEffect, useEffectEvent, useState } from 'react'

/** Sent to the window when a link was created elsewhere than in the list of links. */
const CREATED = 'terse:created'

export const announceNewLink = () => window.dispatchEvent(new Event(CREATED))

/** Calls back when a link was created beside the list. */
export function useNewLinks(onCreated: () => void): void {
  const listen = useEffectEvent(onCreated)
  useEffect(() => {
    const heard = () => listen()
    window.addEventListener(CREATED, heard)
    return () => window.removeEventListener(CREATED, heard)
  }, [])
}

/** Why the clipboard gave no URL for a link: it holds none, or the browser does not share it. */
type ClipboardNote = 'none' | 'refused'

let note: ClipboardNote | null = null

/** For the dialog that opens next. */
export function tellNewLink(why: ClipboardNote): void {
  note = why
}

/** @returns what the dialog is to say, once */
export function useNewLinkNote(): ClipboardNote | null {
  const [said] = useState(note)
  useEffect(() => {
    note = null
  }, [])
  return said
}
