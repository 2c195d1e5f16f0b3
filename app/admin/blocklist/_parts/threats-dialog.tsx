import { Upload } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { Dialog } from '@/app/_ui/base/dialog'
import { FailureMessage } from '@/app/_ui/base/failure'
import { SwitchField } from '@/app/_ui/base/switch-field'
import { toast } from '@/app/_ui/base/toast'
import { editThreats, getThreats, removeThreats, replaceThreats } from '@/app/_ui/data/admin'
import { useFormat } from '@/app/_ui/data/format'
import type { Result } from '@/app/_ui/data/http'
import type { ThreatListView } from '@/lib/blocklist/threat-list'

/** The list of threats: what is known of it, another one, and what it does to links. */
export function ThreatsDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('admin.threats')
  const format = useFormat()
  const file = useRef<HTMLInputElement>(null)
  const [list, setList] = useState<ThreatListView | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const take = (result: Result<ThreatListView>) => {
    if (result.ok) setList(result.value)
    setFailure(result.ok ? null : result.failure.message)
    return result.ok ? result.value : null
  }
  useEffect(() => {
    const abort = new AbortController()
    void getThreats(abort.signal).then((result) => {
      if (abort.signal.aborted) return
      if (result.ok) setList(result.value)
      else setFailure(result.failure.message)
    })
    return () => abort.abort()
  }, [])
  const upload = async (chosen: File | undefined) => {
    if (!chosen) return
    setBusy(true)
    const made = take(await replaceThreats(chosen))
    setBusy(false)
    if (file.current) file.current.value = ''
    if (made) toast(t('done', { count: made.entries }))
  }
  const remove = async () => {
    const result = await removeThreats()
    if (!result.ok) return setFailure(result.failure.message)
    toast(t('removed'))
    take(await getThreats())
  }
  const bad = list?.bad
  return (
    <Dialog title={t('title')} description={t('text')} onClose={onClose}>
      <div className="space-y-5">
        {failure && <FailureMessage>{failure}</FailureMessage>}
        {!list && !failure && <div aria-hidden="true" className="skeleton h-24" />}
        {list && (
          <>
            <div role="status" className="space-y-1 text-sm">
              <p className="font-medium">
                {t('entries', { count: list.entries })}
                {list.uploadedAt && <span className="text-muted"> · {t('uploaded', { day: format.day(list.uploadedAt) })}</span>}
              </p>
              {list.short > 0 && <p className="text-muted">{t('short', { count: list.short })}</p>}
              {list.busy && <p className="text-muted">{t('busy')}</p>}
              {bad && bad.count > 0 && (
                <p className="text-danger text-anywhere">{t('bad', { count: bad.count, lines: bad.lines.join(', ') })}</p>
              )}
            </div>
            <SwitchField
              label={t('pauses')}
              hint={t('pausesHint')}
              on={list.pauses}
              onChange={(pauses) => void editThreats(pauses).then(take)}
            />
          </>
        )}
        <input
          ref={file}
          type="file"
          accept=".txt,text/plain"
          aria-label={t('file')}
          className="sr-only"
          tabIndex={-1}
          onChange={({ currentTarget }) => void upload(currentTarget.files?.[0])}
        />
        <div className="flex flex-wrap justify-end gap-3">
          {list !== null && list.entries > 0 && (
            <Button look="danger" className="mr-auto" onClick={() => void remove()}>
              {t('remove')}
            </Button>
          )}
          <Button onClick={onClose}>{t('close')}</Button>
          <Button look="primary" busy={busy} onClick={() => file.current?.click()}>
            <Upload aria-hidden="true" className="-ml-1 size-[18px]" />
            {t(busy ? 'uploading' : 'choose')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
