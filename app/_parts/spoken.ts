/** All that a number to be read aloud needs, loaded when one is asked for. */
export { SpokenCard } from './spoken-card'
export { SpokenForm } from './spoken-form'
