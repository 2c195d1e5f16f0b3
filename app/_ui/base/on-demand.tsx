'use client'

import { type ComponentType, useEffect, useState } from 'react'
import { useTranslations } from '#i18n'
import { toast } from './toast'
import { holdTyping, releaseTyping } from './type-ahead'

interface Closable {
  onClose: (() => void) | null
}

/**
 * A dialog whose code comes with the first click that asks for it: most visits open none. Where it cannot be had, that is
 * said, and the dialog closes; the page around it stays as it is. What is typed meanwhile goes into its first field.
 */
export function onDemand<P extends Closable>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loaded: ComponentType<P> | null = null
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each dialog, by its module
  return function OnDemand(props: P) {
    const t = useTranslations('forms')
    const [Dialog, setDialog] = useState(() => loaded)
    const { onClose } = props
    // biome-ignore lint/correctness/useExhaustiveDependencies: once; what is said and done on failure may change meanwhile
    useEffect(() => {
      if (loaded) return
      let wanted = true
      holdTyping(() => onClose?.())
      load().then(
        (component) => {
          loaded = component
          if (wanted) setDialog(() => component)
        },
        () => {
          if (!wanted) return
          releaseTyping()
          toast(t('offline'))
          onClose?.()
        },
      )
      return () => {
        wanted = false
        if (!loaded) releaseTyping()
      }
    }, [])
    return Dialog && <Dialog {...props} />
  }
}
