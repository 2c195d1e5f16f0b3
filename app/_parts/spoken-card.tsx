'use client'

import { useEffect, useRef, useState } from 'react'
import { Button } from '@/app/_ui/base/button'
import { CopyButton } from '@/app/_ui/base/copy-button'
import { cx } from '@/app/_ui/base/cx'
import { Form } from '@/app/_ui/base/form'
import { LocalTime } from '@/app/_ui/base/local-time'
import { useInBrowser } from '@/app/_ui/base/use-in-browser'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { formatTime } from '@/app/_ui/data/time'
import type { SpokenView } from '@/lib/links/schemas'
import { groupsOf, remaining } from './spoken-text'

/** A number, large enough to be read across a room, and how long it still works. */
export function SpokenCard({ code, onAgain }: { code: SpokenView; onAgain: () => void }) {
  const copy = useRef<HTMLButtonElement>(null)
  const left = useSecondsUntil(code.expiresAt)
  useEffect(() => copy.current?.focus(), [])
  const { host } = new URL(code.shortUrl)
  const inBrowser = useInBrowser()
  const expired = inBrowser && left <= 0
  return (
    <section
      aria-label="Your number"
      className="appear rounded-card border border-line bg-surface p-5 text-center shadow-xs sm:p-8"
    >
      <p className="text-lg text-muted text-anywhere sm:text-xl">{readableUrl(`http://${host}/`)}&thinsp;/</p>
      <p
        className={cx(
          'mt-1 flex justify-center gap-[0.35em] font-mono text-6xl font-semibold tracking-wide tabular-nums sm:text-8xl',
          expired && 'text-muted line-through decoration-2',
        )}
      >
        {groupsOf(code.digits).map((group, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the groups of one number never change places
          <span key={index}>{group}</span>
        ))}
      </p>
      <p className="mt-4 text-sm text-muted tabular-nums" title={inBrowser ? formatTime(code.expiresAt) : undefined}>
        {!inBrowser ? (
          <>
            Works until <LocalTime iso={code.expiresAt} />
          </>
        ) : expired ? (
          <span role="status">This number no longer leads there.</span>
        ) : (
          <>
            Works for <span role="timer">{remaining(left)}</span>, until {formatTime(code.expiresAt)}
          </>
        )}
      </p>
      <div className="mt-6 flex flex-col justify-center gap-3 sm:flex-row">
        {!expired && <CopyButton ref={copy} text={code.shortUrl} name={readableUrl(code.shortUrl)} />}
        <AnotherNumber onAgain={onAgain} />
      </div>
    </section>
  )
}

/** Without scripts the form for it is a form away. */
function AnotherNumber({ onAgain }: { onAgain: () => void }) {
  return (
    <Form
      name="spoken"
      aria-label="Another number"
      onSubmit={(event) => {
        event.preventDefault()
        onAgain()
      }}
    >
      <Button type="submit" className="w-full">
        Another number
      </Button>
    </Form>
  )
}

/** Counts down once a second; below 0 it stands still. */
function useSecondsUntil(iso: string): number {
  const [left, setLeft] = useState(() => secondsUntil(iso))
  useEffect(() => {
    const timer = setInterval(() => {
      const seconds = secondsUntil(iso)
      setLeft(seconds)
      if (seconds <= 0) clearInterval(timer)
    }, 1000)
    return () => clearInterval(timer)
  }, [iso])
  return left
}

const secondsUntil = (iso: string) => Math.ceil((Date.parse(iso) - Date.now()) / 1000)
