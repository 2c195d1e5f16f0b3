'use client'

import { X } from 'lucide-react'
import { type FocusEvent, type TouchEvent, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslations } from '#i18n'
import { currentToasts, dismissToast, onToasts, type Toast } from './toast'

/** Long enough to be read and reached by keyboard. */
const SHOWN_MS = 10_000
/** By which a finger throws one off the page, in px. */
const SWIPE = 40
const NONE: readonly Toast[] = []

/** Where toasts appear: read out as they come, reached by Alt+T. They wait while the cursor or the mouse is with them. */
export function Toasts() {
  const t = useTranslations('base')
  const toasts = useSyncExternalStore(onToasts, currentToasts, () => NONE)
  const list = useRef<HTMLOListElement>(null)
  /** Where the cursor came from, and goes back to. */
  const before = useRef<HTMLElement | null>(null)
  const [waiting, setWaiting] = useState(false)
  useEffect(() => {
    const reach = (event: globalThis.KeyboardEvent) => {
      if (!event.altKey || event.code !== 'KeyT' || currentToasts().length === 0) return
      event.preventDefault()
      list.current?.focus()
    }
    document.addEventListener('keydown', reach)
    return () => document.removeEventListener('keydown', reach)
  }, [])
  // What goes from under the mouse or the cursor tells of no leaving.
  useEffect(() => {
    if (toasts.length === 0) setWaiting(false)
  }, [toasts])
  const enter = ({ relatedTarget, currentTarget }: FocusEvent<HTMLElement>) => {
    setWaiting(true)
    if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget)) before.current = relatedTarget
  }
  const dismiss = (id: number) => {
    if (list.current?.contains(document.activeElement)) before.current?.focus()
    dismissToast(id)
  }
  return (
    <section
      aria-label={`${t('notifications')} (Alt+T)`}
      aria-live="polite"
      aria-relevant="additions text"
      onFocus={enter}
      onBlur={() => setWaiting(false)}
      onPointerEnter={({ pointerType }) => setWaiting(pointerType === 'mouse')}
      onPointerLeave={() => setWaiting(false)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        before.current?.focus()
      }}
      // Above the bar of what is selected and the buttons of a dialog, and beside the forms of a wide page.
      className="pointer-events-none fixed inset-x-4 bottom-[calc(var(--floor,0px)+1rem)] z-60 flex justify-center sm:inset-x-6 lg:justify-end [:root:has([data-sticky-actions])_&]:bottom-22"
    >
      <ol ref={list} tabIndex={-1} className="flex w-full flex-col gap-2 rounded-control sm:w-[22rem]">
        {toasts.map((toast) => (
          <Item key={toast.id} toast={toast} waiting={waiting} onDone={() => dismiss(toast.id)} />
        ))}
      </ol>
    </section>
  )
}

function Item({ toast, waiting, onDone }: { toast: Toast; waiting: boolean; onDone: () => void }) {
  const t = useTranslations('base')
  const { title, description, action, stays = false } = toast
  const left = useRef(SHOWN_MS)
  const touched = useRef({ x: 0, y: 0 })
  const done = useEffectEvent(onDone)
  useEffect(() => {
    if (waiting || stays) return
    const begun = Date.now()
    const timer = setTimeout(() => done(), left.current)
    return () => {
      clearTimeout(timer)
      left.current -= Date.now() - begun
    }
  }, [waiting, stays])
  const release = ({ changedTouches }: TouchEvent) => {
    const touch = changedTouches[0]
    const { x, y } = touched.current
    if (touch && Math.hypot(touch.clientX - x, touch.clientY - y) > SWIPE) onDone()
  }
  return (
    <li
      data-toast
      onTouchStart={({ touches }) => {
        const touch = touches[0]
        if (touch) touched.current = { x: touch.clientX, y: touch.clientY }
      }}
      onTouchEnd={release}
      className="appear pointer-events-auto flex w-full touch-none items-center gap-3 rounded-control border border-line bg-raised py-2 pr-1.5 pl-4 text-sm text-fg shadow-lg"
    >
      <div className="min-w-0 flex-1">
        <div className="font-medium text-anywhere">{title}</div>
        {description && <div className="text-muted text-anywhere">{description}</div>}
      </div>
      {action && (
        <button
          type="button"
          onClick={() => {
            onDone()
            action.onClick()
          }}
          className="h-9 shrink-0 rounded-control bg-accent-soft px-3.5 font-semibold text-accent"
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        aria-label={t('dismiss')}
        onClick={onDone}
        className="-ml-1.5 inline-flex size-9 shrink-0 items-center justify-center rounded-control text-muted hover:bg-accent-soft hover:text-accent"
      >
        <X aria-hidden="true" className="size-4" />
      </button>
    </li>
  )
}
