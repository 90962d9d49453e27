/**
 * The kinds of failure that rankfeed distinguishes, one exit code each, and the wording of suggestions. Nothing here
 * knows what failed: a message is written where the failure is found.
 */
@NullMarked
package io.rankfeed.schema.failure;

import org.jspecify.annotations.NullMarked;
