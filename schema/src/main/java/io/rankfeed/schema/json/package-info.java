/**
 * JSON as the artifacts hold it: one canonical form to write, one strict way to read bytes that may be damaged. Which
 * members an artifact has is said in its own package; user-written text is bound in {@code schema.config}.
 *
 * <p>Not here: the members of manifests and orders.
 */
@NullMarked
package io.rankfeed.schema.json;

import org.jspecify.annotations.NullMarked;
