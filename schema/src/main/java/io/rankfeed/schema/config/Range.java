package io.rankfeed.schema.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The minimum and the maximum that an integer, or a {@link ByteSize} in bytes, may be; both inclusive. Every integer
 * key says its least one, since the type's minimum means nothing to a user.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Range {
    long min();

    long max() default Long.MAX_VALUE;
}
