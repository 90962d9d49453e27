/**
 * The types of a sample: element types, shapes, fields, schemas. Values only: no I/O, no Spark, no Arrow. The byte
 * layouts that carry samples live in the packages below this one.
 *
 * <p>Not here: rows, and where they are stored.
 */
@NullMarked
package io.rankfeed.schema;

import org.jspecify.annotations.NullMarked;
