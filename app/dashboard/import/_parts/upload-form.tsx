import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { FailureMessage } from '@/app/_ui/base/failure'
import { addressInput, Field, TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import type { ShortHost } from '@/lib/domains/short-host'
import { columnFields, MOST_COLUMNS } from '@/lib/forms/import'
import { resultOf, type SentForm } from '@/lib/forms/sent'
import type { GuessedColumn } from '@/lib/movers/columns'
import { IMPORT_FILES, isRules } from '@/lib/movers/sources'
import { ColumnFields } from './column-fields'
import { DomainSelect } from './plain-select'
import type { From } from './source-nav'

interface Props {
  from: From
  hosts: readonly ShortHost[]
  sent: SentForm | null
}

/** A file, and what is said of it: its fields are above it, since they are read before it. */
export function UploadForm({ from, hosts, sent }: Props) {
  const t = useTranslations('dashboard.import')
  const columns = columnsOf(sent)
  const values = sent?.values ?? {}
  return (
    <Form name="import" encType="multipart/form-data" aria-label={t('title')} className="space-y-5">
      {sent?.failure && <FailureMessage>{sent.failure}</FailureMessage>}
      <p className="text-sm text-muted text-pretty">
        {from === null ? t.rich('text', { code: (name) => <code>{name}</code> }) : t(`reads.${isRules(from) ? 'rules' : from}`)}
      </p>
      {from !== null && <DomainSelect hosts={hosts} chosen={values.domain} />}
      {isRules(from) && (
        <TextField
          {...addressInput}
          label={t('site')}
          name="site"
          defaultValue={values.site}
          error={sent?.errors.site}
          placeholder="https://www.example.com"
        />
      )}
      {columns && <ColumnFields columns={columns} />}
      <Field label={columns ? t('fileAgain') : t('file')}>
        {(control) => (
          <input
            {...control}
            type="file"
            name="file"
            accept={IMPORT_FILES}
            className="block w-full text-sm file:mr-3 file:h-11 file:cursor-pointer file:rounded-control file:border file:border-solid file:border-line-strong file:bg-surface file:px-4 file:font-medium file:text-fg sm:file:h-10"
          />
        )}
      </Field>
      <Button type="submit" look="primary">
        {from === 'other' && !columns ? t('next') : t('check')}
      </Button>
    </Form>
  )
}

/** The columns of a file that was looked at, as they are chosen by now; null: none was. */
function columnsOf(sent: SentForm | null): readonly GuessedColumn[] | null {
  const found = resultOf(sent, 'import')?.columns.slice(0, MOST_COLUMNS)
  if (found) return found
  const { values = {} } = sent ?? {}
  const chosen = Array.from({ length: MOST_COLUMNS }, (_, index) => columnFields(index)).flatMap(({ name, property }) => {
    const called = values[name]
    return called === undefined
      ? []
      : [{ name: called, property: (values[property] || null) as GuessedColumn['property'], examples: [] }]
  })
  return chosen.length > 0 ? chosen : null
}
