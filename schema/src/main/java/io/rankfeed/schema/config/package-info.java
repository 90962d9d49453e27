/**
 * What a user writes (YAML files, {@code --set} flags) bound to records, and records shown again as JSON. Every refusal
 * names the file and line (or the flag), the key, and the nearest right word. Which keys a job or a feed has is said by
 * the records of those who use them, never here.
 *
 * <p>Not here: the keys of job and feed files; those are records of their modules.
 */
@NullMarked
package io.rankfeed.schema.config;

import org.jspecify.annotations.NullMarked;
