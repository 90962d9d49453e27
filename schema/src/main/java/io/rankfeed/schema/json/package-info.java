/**
 * The JSON of artifacts: one canonical form to write, and one strict parser for bytes that may be corrupted. The YAML
 * and JSON that users write is bound in {@code schema.config}.
 *
 * <p>Not here: the members of manifests and orders.
 */
@NullMarked
package io.rankfeed.schema.json;

import org.jspecify.annotations.NullMarked;
