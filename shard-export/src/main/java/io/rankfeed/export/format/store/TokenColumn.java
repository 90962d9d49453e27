package io.rankfeed.export.format.store;

import io.rankfeed.schema.Field;

/**
 * A column that is an indexed dataset.
 *
 * @param index of the field in the schema
 * @param type of the elements in the file
 * @param members index of the field with the lengths of the row's sequences, or -1 if the row is one sequence
 */
record TokenColumn(int index, Field field, TokenType type, int members) {}
