import { useState } from 'react'
import { useTranslations } from '#i18n'
import { addressInput, TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { FormActions } from '@/app/_ui/base/form-actions'
import { FilePicker, PastedList } from '@/app/_ui/base/import-dialog'
import { Segments } from '@/app/_ui/base/segments'
import { Select } from '@/app/_ui/base/select'
import type { Result } from '@/app/_ui/data/http'
import { checkLinks } from '@/app/_ui/data/links'
import { checkFile, checkLive, columnsOf, type FileColumn } from '@/app/_ui/data/moving'
import { useForm } from '@/app/_ui/data/use-form'
import type { ShortHost } from '@/lib/domains/short-host'
import { invalid } from '@/lib/forms/failure'
import { completeAddress, textOf } from '@/lib/forms/fields'
import type { JobView } from '@/lib/jobs/schemas'
import { RECOGNISED_BY, recognise } from '@/lib/movers/recognise'
import { IMPORT_FILES, isRules, KEYLESS, LIVE_FROM, MOVED_FROM, type MovedFrom, ONE_PLACE } from '@/lib/movers/sources'
import { bytesOf, LIST_MB } from '@/lib/tools/list-size'
import { ColumnsForm } from './columns-form'

type From = MovedFrom | 'ours'

const isKeyless = (from: From) => (KEYLESS as readonly From[]).includes(from)

const EXAMPLE = 'url,code,title\nhttps://example.com/a/long/page,spring-sale,Spring sale'

interface Props {
  hosts: readonly ShortHost[]
  onBegun: (job: JobView) => void
  onCancel: () => void
}

/** What was chosen and is looked at before it is sent. */
interface Looked {
  list: string | File
  columns: readonly FileColumn[]
}

/** Where links come from, and how: a file, a list, or the API of another service. */
export function MovingForm({ hosts, onBegun, onCancel }: Props) {
  const t = useTranslations('dashboard.import')
  const base = useTranslations('base.import')
  const [from, setFrom] = useState<From>('ours')
  const [isLive, setLive] = useState(false)
  const [file, setFile] = useState<File | null>(null)
  const [domain, setDomain] = useState('')
  // What a file was recognized as, until something else is selected.
  const [recognised, setRecognised] = useState<MovedFrom | null>(null)
  const [looked, setLooked] = useState<Looked | null>(null)
  const canBeLive = (LIVE_FROM as readonly From[]).includes(from)
  const asked = canBeLive && isLive
  const form = useForm(async (data) => {
    const over = (result: Result<JobView>) => {
      if (!result.ok) return result.failure
      onBegun(result.value)
      return null
    }
    if (asked && from !== 'ours') {
      const address = completeAddress(textOf(data, 'address'))
      return over(await checkLive({ from, domain, address, key: textOf(data, 'key').trim() }))
    }
    const list = file ?? textOf(data, 'list')
    const bytes = file?.size ?? new Blob([list]).size
    if (bytes > bytesOf('text/csv')) return invalid({}, base('tooLarge', { most: LIST_MB['text/csv'] }))
    if (bytes === 0) return invalid({}, file ? base('emptyFile') : base('nothing'))
    if (from === 'ours') return over(await checkLinks(list))
    if (from === 'other') {
      const found = await columnsOf(list, from)
      if (!found.ok) return found.failure
      setLooked({ list, columns: found.value.columns })
      return null
    }
    return over(await checkFile(list, { from, domain, site: completeAddress(textOf(data, 'site')), columns: null }))
  })
  if (looked) {
    const check = (columns: Readonly<Record<string, string>>) =>
      checkFile(looked.list, { from: 'other', domain, site: '', columns })
    return <ColumnsForm columns={looked.columns} check={check} onBegun={onBegun} onBack={() => setLooked(null)} />
  }
  const select = (chosen: From) => {
    setFrom(chosen)
    setRecognised(null)
  }
  const choose = async (chosen: File | null) => {
    setFile(chosen)
    form.setFailure(null)
    const found =
      chosen &&
      recognise(
        await chosen
          .slice(0, RECOGNISED_BY)
          .text()
          .catch(() => ''),
      )
    // What somebody selected stays.
    if (from !== 'ours' && from !== recognised) return
    setFrom(found ?? 'ours')
    setRecognised(found)
  }
  const kinds = (['ours', ...MOVED_FROM] as const).map((value) => ({ value, label: t(`kind.${value}`) }))
  return (
    <Form name={null} ref={form.ref} onSubmit={form.onSubmit} aria-label={t('title')} className="space-y-5">
      <div>
        <Select label={t('from')} labelShown value={from} options={kinds} onChange={select} />
        <div role="status" className="text-[13px] text-muted">
          {recognised && <p className="mt-1.5">{t('recognised', { name: t(`kind.${recognised}`) })}</p>}
        </div>
      </div>
      {canBeLive && (
        <Segments
          label={t('way.label')}
          value={isLive ? 'api' : 'file'}
          options={[
            { value: 'file', label: t('way.file') },
            { value: 'api', label: t(isKeyless(from) ? 'way.address' : 'way.api') },
          ]}
          onChange={(way) => setLive(way === 'api')}
        />
      )}
      {asked ? (
        <ServiceFields from={from} />
      ) : (
        <>
          <p className="text-sm text-muted">
            {from === 'ours'
              ? t.rich('text', { code: (name) => <code>{name}</code> })
              : t(`reads.${isRules(from) ? 'rules' : from}`)}
          </p>
          <FilePicker file={file} accept={IMPORT_FILES} onChange={(chosen) => void choose(chosen)} />
          {file === null && <PastedList placeholder={from === 'ours' ? EXAMPLE : undefined} />}
          {isRules(from) && <TextField {...addressInput} label={t('site')} name="site" placeholder="https://www.example.com" />}
        </>
      )}
      {from !== 'ours' && hosts.length > 1 && (
        <Select
          label={t('domain')}
          labelShown
          value={domain}
          options={[{ value: '', label: t('ownDomain') }, ...hosts.map(({ domain, shown }) => ({ value: domain, label: shown }))]}
          onChange={setDomain}
        />
      )}
      <FormActions
        form={form}
        action={form.pending ? base('sending') : from === 'other' ? t('next') : t('check')}
        onCancel={onCancel}
      />
    </Form>
  )
}

/** Where the API of a service is, and what lets us in. */
function ServiceFields({ from }: { from: From }) {
  const t = useTranslations('dashboard.import')
  const isOptional = (ONE_PLACE as readonly From[]).includes(from)
  return (
    <>
      <TextField
        {...addressInput}
        label={t(isKeyless(from) ? 'addressOfFile' : 'address')}
        name="address"
        placeholder={isKeyless(from) ? 'https://example.com/sitemap.xml' : 'https://old.example.com'}
        hint={isOptional ? t('addressOptional') : undefined}
      />
      {!isKeyless(from) && (
        <TextField
          label={from === 'yourls' ? t('signature') : t('key')}
          name="key"
          type="password"
          autoComplete="off"
          hint={t('keyHint')}
        />
      )}
    </>
  )
}
