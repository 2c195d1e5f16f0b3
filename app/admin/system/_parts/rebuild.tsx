import { useState } from 'react'
import { Button } from '@/app/_ui/base/button'
import { ConfirmDialog } from '@/app/_ui/base/confirm-dialog'
import { startRebuild } from '@/app/_ui/data/admin'
import { confirmed } from '@/app/admin/_parts/act'

/** Rebuilds the code filter. */
export function Rebuild() {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button size="small" onClick={() => setAsking(true)}>
        Rebuild<span className="sr-only"> the code filter</span>
      </Button>
      {asking && (
        <ConfirmDialog
          title="Rebuild the code filter?"
          action="Rebuild"
          onConfirm={() => confirmed(startRebuild(), 'The filter is being rebuilt: see the jobs below')}
          onClose={() => setAsking(false)}
        >
          <p>
            All codes are read from MySQL into a new filter, which then takes the place of this one. Links redirect and are made
            meanwhile as always.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
