'use client'

import { type ChangeEvent, useRef } from 'react'
import { toast } from 'sonner'
import { buttonClass } from '@/app/_ui/base/button'
import { downloadFile } from '@/app/_ui/data/browser'
import { exportRecents, importRecents, MAX_RECENTS } from '@/app/_ui/data/recents'
import { formatCount } from '@/app/_ui/data/time'

/** Says where the keys are, and lets them be taken elsewhere. */
export function KeysNote({ count }: { count: number }) {
  const file = useRef<HTMLInputElement>(null)
  const load = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const chosen = currentTarget.files?.[0]
    const added = chosen ? importRecents(await chosen.text()) : undefined
    if (file.current) file.current.value = ''
    if (added === null) toast('This file holds no links', { description: 'Choose a file that was exported here.' })
    else if (added !== undefined) toast(`${formatCount(added, 'link', 'links')} added`)
  }
  return (
    <div className="mt-4 text-[13px] text-muted">
      {count > 0 && (
        <p>
          The keys that change these links are kept in this browser only, for the newest {MAX_RECENTS}. Clear its data and they
          are lost, so export them to be safe.
        </p>
      )}
      <div className="mt-1 -ml-3 flex">
        {count > 0 && (
          <button
            type="button"
            onClick={() => downloadFile('terse-links.json', new Blob([exportRecents()], { type: 'application/json' }))}
            className={buttonClass('quiet', undefined, 'small')}
          >
            Export links and keys
          </button>
        )}
        <button type="button" onClick={() => file.current?.click()} className={buttonClass('quiet', undefined, 'small')}>
          Import
        </button>
        <input ref={file} type="file" accept="application/json,.json" hidden onChange={load} aria-label="Exported links" />
      </div>
    </div>
  )
}
