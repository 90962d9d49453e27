/**
 * Binds YAML files and {@code --set} flags to records, and writes records as JSON. Every error names the file and line
 * (or the flag), the key, and the nearest right word.
 *
 * <p>Not here: the keys of job and feed files; those are records of their modules.
 */
@NullMarked
package io.rankfeed.schema.config;

import org.jspecify.annotations.NullMarked;
