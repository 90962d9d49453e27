package io.rankfeed.schema.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A sealed interface of records whose variant is written as the only key of a mapping, the record under it: {@code {random-crop:
 * {height: 4, width: 4}}}. The key is the record's simple name in kebab-case. The name alone stands for a record of defaults.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface NamedVariants {}
