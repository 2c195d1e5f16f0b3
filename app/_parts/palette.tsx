import { X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useTranslations } from '#i18n'
import type { AppPage } from '@/app/_server/pages'
import { IconButton } from '@/app/_ui/base/button'
import { cx } from '@/app/_ui/base/cx'
import { TopDialog } from '@/app/_ui/base/dialog'
import { KeyCap } from '@/app/_ui/base/key-cap'
import { MOD } from '@/app/_ui/base/keys'
import { type Choice, type ChoiceGroup, useChoices, useCopy } from './use-choices'
import { useFoundLinks } from './use-found-links'

interface Props {
  /** Where one can go. */
  pages: readonly AppPage[]
  onClose: () => void
}

/** Goes to any page, finds any link and creates one, by a few letters: the combobox pattern of the ARIA practices. */
export function Palette({ pages, onClose }: Props) {
  const t = useTranslations('commands')
  const id = useId()
  const [text, setText] = useState('')
  const query = text.trim()
  const found = useFoundLinks(query)
  const groups = useChoices(query, pages, found)
  const copy = useCopy()
  const after = useRef<(() => void) | null>(null)
  const all = groups.flatMap(({ choices }) => choices)
  const [activeId, setActiveId] = useState<string | null>(null)
  const active = all.find((choice) => choice.id === activeId) ?? all[0]
  const optionId = (choice: Choice | undefined) => choice && `${id}-${choice.id}`

  const choose = async (choice: Choice | undefined) => {
    if (!choice) return
    after.current = await choice.choose()
    onClose()
  }
  const copied = (choice: Choice) => {
    void copy(choice)
    onClose()
  }
  const press = (event: KeyboardEvent) => {
    // Enter ends a composition, too.
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && all.length > 0) {
      const at = active ? all.indexOf(active) : -1
      setActiveId(all[(at + step + all.length) % all.length]?.id ?? null)
    } else if (event.key !== 'Enter') return
    else if ((event.ctrlKey || event.metaKey) && active?.copies) copied(active)
    else void choose(active)
    event.preventDefault()
  }
  const looking = query !== '' && found.query !== query
  return (
    <TopDialog title={t('open')} onClose={onClose} onClosed={() => after.current?.()}>
      <div className="flex items-center gap-1 border-b border-line pr-1.5">
        <input
          type="text"
          role="combobox"
          aria-label={t('open')}
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls={id}
          aria-activedescendant={optionId(active)}
          placeholder={t('placeholder')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={2000}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value)
            setActiveId(null)
          }}
          onKeyDown={press}
          className="h-14 min-w-0 flex-1 bg-transparent px-5 text-base outline-none"
        />
        <IconButton icon={X} label={t('close')} hint={t('close')} onClick={onClose} />
      </div>
      <div
        id={id}
        role="listbox"
        aria-label={t('results')}
        className="max-h-[min(26rem,65dvh)] overflow-y-auto overscroll-contain p-2"
      >
        {groups.map((group) => (
          <Group key={group.name} group={group} id={`${id}-${group.name}`}>
            {(choice) => (
              <Option
                key={choice.id}
                id={optionId(choice)}
                choice={choice}
                active={choice === active}
                onPoint={() => setActiveId(choice.id)}
                onChoose={(withKey) => (withKey && choice.copies ? copied(choice) : void choose(choice))}
              />
            )}
          </Group>
        ))}
      </div>
      <p role="status" className="px-5 pb-3 text-[13px] text-muted empty:hidden">
        {found.failure ?? (looking ? t('looking') : all.length === 0 ? t('none') : '')}
      </p>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-5 py-2 text-[13px] text-muted pointer-coarse:hidden">
        <span className="inline-flex items-center gap-1.5">
          <KeyCap>Enter</KeyCap> {t('hint.open')}
        </span>
        <span className="inline-flex items-center gap-1.5">
          <KeyCap>{`${MOD} Enter`}</KeyCap> {t('hint.copy')}
        </span>
      </p>
    </TopDialog>
  )
}

interface GroupProps {
  group: ChoiceGroup
  id: string
  children: (choice: Choice) => ReactNode
}

function Group({ group: { name, choices }, id, children }: GroupProps) {
  const t = useTranslations('commands')
  return (
    // biome-ignore lint/a11y/useSemanticElements: of options in a listbox, for which HTML has no element
    <div role="group" aria-labelledby={id} className="mb-1 last:mb-0">
      <p id={id} className="px-3 pt-2 pb-1 text-[13px] text-muted">
        {t(`group.${name}`)}
      </p>
      {choices.map(children)}
    </div>
  )
}

interface OptionProps {
  id: string | undefined
  choice: Choice
  active: boolean
  onPoint: () => void
  onChoose: (withKey: boolean) => void
}

function Option({ id, choice: { icon: Icon, label, hint }, active, onPoint, onChoose }: OptionProps) {
  const option = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (active) void option.current?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the cursor stays in the text field, whose keys choose
    // biome-ignore lint/a11y/useFocusableInteractive: as above
    <div
      ref={option}
      id={id}
      role="option"
      aria-selected={active}
      onPointerMove={onPoint}
      onClick={({ ctrlKey, metaKey }) => onChoose(ctrlKey || metaKey)}
      className={cx(
        'flex min-h-11 cursor-pointer sm:min-h-10 items-center gap-3 rounded-control px-3 py-1 text-sm',
        active && 'bg-accent-soft text-accent',
      )}
    >
      <Icon aria-hidden="true" className={cx('size-4 shrink-0', !active && 'text-muted')} />
      <span className="max-w-[70%] shrink-0 truncate font-medium">{label}</span>
      {hint && <bdi className={cx('min-w-0 truncate text-[13px]', !active && 'text-muted')}>{hint}</bdi>}
    </div>
  )
}
